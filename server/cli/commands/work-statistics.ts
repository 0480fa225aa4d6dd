import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { AnswerOf } from '../../../shared/api/route.ts';
import { workStatisticsRoutes } from '../../../shared/api/work-statistics.ts';
import { replaceDurably } from '../../platform/durable-file.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { parseTime } from '../parse-time.ts';
import { table, terminal } from '../terminal.ts';

type Statistics = AnswerOf<typeof workStatisticsRoutes.workStatistics>;

interface Options {
  readonly since?: string;
  readonly until?: string;
  readonly output?: string;
  readonly overwrite?: true;
}

export function addWorkStatistics(work: Command): void {
  work
    .command('statistics')
    .description('Show how fast received documents are acknowledged and done, by mailbox and person.')
    .option(
      '--since <time>',
      'filed at or after this time, e.g. 2026-11-01T00:00; if left out, 30 days before the end',
    )
    .option('--until <time>', 'filed before this time; now if left out')
    .option('--output <file>', 'save them as CSV instead, safe to open in a spreadsheet')
    .option('--overwrite', 'replace an existing file once the new one is complete')
    .action(
      action<Options>(async ({ options, client, answer }) => {
        const { since, until, output, overwrite } = options;
        const query = {
          ...(since && { since: parseTime(since) }),
          ...(until && { until: parseTime(until) }),
        };
        if (output === undefined)
          return answer(await (await client()).workStatistics.workStatistics({ query }), formatStatistics);
        const path = resolve(output);
        if (existsSync(path) && !overwrite)
          throw new CommandFailure(`${output} already exists. Use --overwrite to replace it.`, EXIT.conflict);
        const pieces = (await client()).stream(workStatisticsRoutes.exportWorkStatistics, { query });
        await replaceDurably(path, 0o600, (handle) => handle.writeFile(pieces));
        terminal.note(`Saved as ${output}.`);
      }),
    );
}

const DOCUMENTS = ['RECEIVED', 'IN TIME', 'LATE', 'DUE LATER', 'NO TARGET'];
const TIMES = ['ACKNOWLEDGED', 'MEDIAN', 'DONE', 'MEDIAN', 'OPEN NOW', 'OVERDUE NOW'];

function formatStatistics({ all, mailboxes, people, archived }: Statistics): string {
  const documents = (name: string, row: Statistics['all']) => [
    name,
    row.received,
    row.in_time,
    row.late,
    row.awaited,
    row.without_target,
    ...timesOf(row),
  ];
  const byMailbox = [
    ...mailboxes.map((row) => documents(row.label ?? 'No mailbox', row)),
    documents('All together', all),
  ];
  const byPerson = people.map((row) => [row.name ?? 'No owner', row.in_time, row.late, ...timesOf(row)]);
  return [
    table(['MAILBOX', ...DOCUMENTS, ...TIMES], byMailbox),
    table(['PERSON', 'IN TIME', 'LATE', ...TIMES], byPerson),
    ...(archived === 0 ? [] : [`Left out, because removed after archiving: ${archived} received faxes.`]),
  ].join('\n\n');
}

function timesOf(row: Omit<Statistics['people'][number], 'principal_id' | 'name'>) {
  return [
    row.acknowledged,
    formatDuration(row.median_acknowledge_seconds),
    row.done,
    formatDuration(row.median_done_seconds),
    row.open_now,
    row.overdue_now,
  ];
}

/** `45 s`, `12 min`, `3 h 5 min` or `2 d 4 h`. */
function formatDuration(seconds: number | null): string | null {
  if (seconds === null) return null;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 24 ? `${hours} h ${minutes % 60} min` : `${Math.floor(hours / 24)} d ${hours % 24} h`;
}
