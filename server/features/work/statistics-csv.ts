import { csvLine } from '../../platform/csv.ts';
import type { Statistics } from './statistics.ts';

type Line = { of: string; id: string | null; name: string | null } & Partial<Statistics['all']>;

/** Names that programs read; persons have no figures of documents. */
const COLUMNS = [
  'of',
  'id',
  'name',
  'received',
  'in_time',
  'late',
  'awaited',
  'without_target',
  'acknowledged',
  'median_acknowledge_seconds',
  'done',
  'median_done_seconds',
  'open_now',
  'overdue_now',
] as const satisfies readonly (keyof Line)[];

/** RFC 4180, a line of names first: everything, each mailbox, each person. */
export function statisticsAsCsv({ all, mailboxes, people }: Statistics): string {
  const lines: Line[] = [
    { of: 'all', id: null, name: null, ...all },
    ...mailboxes.map(({ mailbox_id: id, label, ...figures }) => ({
      of: 'mailbox',
      id,
      name: label ?? 'No mailbox',
      ...figures,
    })),
    ...people.map(({ principal_id: id, name, ...figures }) => ({
      of: 'person',
      id,
      name: name ?? 'No owner',
      ...figures,
    })),
  ];
  return [csvLine(COLUMNS), ...lines.map((line) => csvLine(COLUMNS.map((name) => line[name] ?? null)))].join(
    '',
  );
}
