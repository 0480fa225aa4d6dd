import type { Command } from 'commander';
import type { z } from 'zod';
import type { outboundCalendarRoutes } from '../../../shared/api/outbound-calendar.ts';
import { dateFormat } from '../../../shared/date-format.ts';
import { aboutColumn } from '../about-words.ts';
import { action } from '../command.ts';
import { table } from '../terminal.ts';

type Calendar = z.infer<(typeof outboundCalendarRoutes)['faxCalendar']['answer']['schema']>;

interface CalendarOptions {
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly includeTest?: true;
}

/** Adds `faxdesk jobs calendar`. */
export function addCalendar(jobs: Command): void {
  jobs
    .command('calendar')
    .description('List the faxes that wait for their time, by day.')
    .option('--from <day>', 'first day by the clocks of the office, e.g. 2026-11-23; if left out, today')
    .option('--to <day>', 'last day; if left out, two weeks from the first')
    .option('--limit <n>', 'faxes of each day')
    .option('--include-test', 'also list test faxes')
    .action(
      action<CalendarOptions>(async ({ options, client, answer }) => {
        const { from, to, limit } = options;
        const query = { from, to, limit, include_test: options.includeTest && 'true' };
        answer(await (await client()).outbound.faxCalendar({ query }), describeCalendar);
      }),
    );
}

function describeCalendar({ from, to, time_zone: timeZone, count, complete, days }: Calendar): string {
  if (count === 0) return `No fax waits for its time from ${from} to ${to}.`;
  const format = dateFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' });
  const time = (iso: string) => format.format(Date.parse(iso));
  const latest = (iso: string) => `${dateFormat('en-CA', { timeZone }).format(Date.parse(iso))} ${time(iso)}`;
  const rows = days.flatMap(({ date, faxes, more }) => [
    ...faxes.map((fax) => [
      date,
      time(fax.leaves_at),
      fax.id,
      fax.others === 0 ? fax.to : `${fax.to} and ${fax.others} of the broadcast`,
      fax.contact ?? '',
      aboutColumn(fax) || fax.file_name,
      fax.send_by === null ? '' : latest(fax.send_by),
    ]),
    ...(more > 0 ? [[date, '', `and ${more} more`, '', '', '', '']] : []),
  ]);
  const note = complete ? '' : '\nMore faxes wait than are listed. Choose fewer days.';
  return `${table(['DAY', 'TIME', 'ID', 'TO', 'CONTACT', 'ABOUT', 'LATEST'], rows)}${note}\nTimes of ${timeZone}.`;
}
