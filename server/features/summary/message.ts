import { formatMoney } from '../../../shared/money.ts';
import { epochOf } from '../../platform/clock.ts';
import { escapedHtml } from '../../platform/escape-html.ts';
import { type Locality, localDate } from '../../platform/local-time.ts';
import type { HandOver } from '../intake/service.ts';
import type { Figures } from './figures.ts';

/** `Nov 23, 2026`, however far from Greenwich the installation is. */
export const dayWords = (day: string, { country }: Pick<Locality, 'country'>): string =>
  localDate(epochOf(`${day}T12:00:00.000Z`), { country, timeZone: 'UTC' });

/** The summary in words, as text and as HTML. */
export function summaryMessage(
  day: string,
  figures: Figures,
  where: Locality,
): Pick<HandOver, 'subject' | 'text' | 'html'> {
  const title = `Faxes of ${dayWords(day, where)}`;
  const lines = linesOf(figures);
  const rows = lines.map(
    ([name, value]) =>
      `<tr><td style="padding:2px 16px 2px 0">${escapedHtml(name)}</td><td>${escapedHtml(value)}</td></tr>`,
  );
  return {
    subject: title,
    text: `${[title, '', ...lines.map(([name, value]) => `${name}: ${value}`)].join('\n')}\n`,
    html: `<p><strong>${escapedHtml(title)}</strong></p>\n<table>\n${rows.join('\n')}\n</table>\n`,
  };
}

function linesOf(figures: Figures): [string, string][] {
  const {
    received,
    incomplete,
    late,
    direct,
    junk,
    overdue_now,
    failed,
    to_confirm_now,
    mails_to_check_now,
    printouts_to_check_now,
  } = figures;
  const lateWords = late === 0 ? '' : `, ${late} not acknowledged in time`;
  return [
    ['Received', `${received}${lateWords}`],
    ['Received with pages that may be missing', String(incomplete)],
    ...(direct === 0
      ? []
      : [['Received directly from partners, not counted above', String(direct)] as [string, string]]),
    ...(junk === 0 ? [] : [['In Junk, not counted above', String(junk)] as [string, string]]),
    ['Overdue now', String(overdue_now)],
    ['Failed to send', String(failed)],
    ['Sent, to be confirmed now', String(to_confirm_now)],
    ['E-mails to check now', String(mails_to_check_now)],
    ['Printouts to check now', String(printouts_to_check_now)],
    ['Costs', costWords(figures.costs)],
  ];
}

/** `$0.14 and €1.00, and 3 of unknown cost`; what is unknown is in no amount. */
function costWords({ amounts, unknown }: Figures['costs']): string {
  const known = amounts.map((money) => formatMoney(money)).join(' and ');
  if (unknown === 0) return known === '' ? 'none' : known;
  return known === '' ? `${unknown} of unknown cost` : `${known}, and ${unknown} of unknown cost`;
}
