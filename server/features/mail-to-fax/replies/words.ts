import type { MailReplyKind } from '../../../../shared/states/mail-to-fax.ts';
import { epochOf } from '../../../platform/clock.ts';
import { escapedHtml } from '../../../platform/escape-html.ts';
import { type Locality, localMoment } from '../../../platform/local-time.ts';
import type { SentOutcome } from '../../outbound/service.ts';
import type { ReplyWithMessage } from './reply-store.ts';

const NO_SUBJECT = 'Your message to be faxed';

/** Returns true when the fax waits for a person before it can end. */
export const needsPerson = ({ state }: SentOutcome) =>
  state === 'held' || state === 'reconciliation_required';

/** Returns the text of a reply. Of the fax it contains only the number, which the sender wrote, and the page count. */
export function replyWords(
  { kind, refusal, to_number }: Pick<ReplyWithMessage, 'kind' | 'refusal' | 'to_number'>,
  outcome: SentOutcome | undefined,
  subject: string | null,
  where: Locality,
): { readonly subject: string; readonly text: string; readonly html: string } {
  const lines = linesOf(kind, `Your fax to ${to_number ?? 'the number'}`, { refusal, outcome, where });
  const words = (subject ?? '').replaceAll(/\s+/gu, ' ').trim();
  const title = words === '' ? NO_SUBJECT : words;
  return {
    subject: /^re:/iu.test(title) ? title : `Re: ${title}`,
    text: `${lines.join('\n')}\n`,
    html: `<p>${lines.map(escapedHtml).join('<br>\n')}</p>\n`,
  };
}

interface ReplyDetails {
  readonly refusal: string | null;
  readonly outcome: SentOutcome | undefined;
  readonly where: Locality;
}

function linesOf(kind: MailReplyKind, fax: string, { refusal, outcome, where }: ReplyDetails): string[] {
  if (kind === 'refused') return ['Your message was not sent as a fax.', refusal ?? ''];
  if (outcome === undefined) return [`${fax} was accepted.`];
  const pages = outcome.pages === 1 ? '1 page' : `${outcome.pages} pages`;
  if (kind === 'accepted')
    return [`${fax} was accepted: ${pages}.`, 'You will get another e-mail with the outcome.'];
  if (kind === 'asked')
    return [...needsPersonLines(fax, outcome), outcome.error ?? ''].filter((line) => line !== '');
  const when = localMoment(epochOf(outcome.at), where);
  if (outcome.state === 'success') return [`${fax} was delivered on ${when}: ${pages}.`];
  if (outcome.state === 'cancelled') return [`${fax} was canceled on ${when}.`];
  return [`${fax} failed on ${when}.`, outcome.error ?? ''].filter((line) => line !== '');
}

function needsPersonLines(fax: string, { state }: SentOutcome): string[] {
  return state === 'held'
    ? [`${fax} is held. It is not sent until someone releases it in Faxdesk.`]
    : [
        `${fax} may or may not have arrived. Faxdesk does not send it again automatically.`,
        'Ask the recipient, then enter in Faxdesk whether it arrived.',
      ];
}
