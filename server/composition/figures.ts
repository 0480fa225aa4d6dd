import { statfs } from 'node:fs/promises';
import type { BootOptions } from '../config/boot.ts';
import type { Database } from '../db/database.ts';
import type { Room } from '../features/room.ts';
import { dueSince } from '../jobs/job-store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Figure } from '../platform/figure.ts';
import { gatewayFacts, type RecordCounts, type RecordKind } from './health.ts';

const HELP: Readonly<Record<RecordKind, string>> = {
  faxes: 'Faxes by state',
  received_faxes: 'Received faxes by status',
  work_items: 'Work items by state',
  email_deliveries: 'E-mail deliveries by state',
  printouts: 'Printouts of received faxes by state',
  printed_documents: 'Printed documents that wait, of a person or of no one',
  webhook_deliveries: 'Webhook deliveries by state',
};

/** Parts of the rooms together that are reported. */
interface FigureSources {
  readonly list: readonly Room[];
  readonly counts: RecordCounts;
  countReportProblems(): Promise<Record<string, number>>;
  warnings(): Promise<string[]>;
}

type GatewayParts = Parameters<typeof gatewayFacts>[0] & {
  readonly boot: BootOptions;
  readonly db: Database;
  readonly clock: Clock;
};

/**
 * Returns a function that reads every value of `/metrics`. A value that cannot be read is left out, as an alert on its
 * absence shows, and hides no other one.
 */
export function gatewayFigures(rooms: FigureSources, parts: GatewayParts): () => Promise<readonly Figure[]> {
  const facts = gatewayFacts(parts);
  const { db, clock, boot } = parts;
  const sources: (() => Promise<readonly Figure[]>)[] = [
    async () => [build(facts)],
    async () => [one('problems', 'Reasons why faxes cannot be taken', (await facts.quickProblems()).length)],
    async () => [one('warnings', 'Warnings that System shows', (await rooms.warnings()).length)],
    () => diskFigures(boot.dataFolder),
    async () => [one('store_bytes', 'Size of the database', await facts.storeBytes())],
    async () => byLabel('jobs_waiting', 'Background work by kind', 'kind', await facts.waiting()),
    () => delays(db, clock),
    async () =>
      byLabel(
        'report_problems',
        'Notifications refused, and what providers did not report, by kind',
        'kind',
        await rooms.countReportProblems(),
      ),
    ...Object.entries(HELP).map(
      ([kind, help]) =>
        async () =>
          byLabel(kind, help, 'state', await rooms.counts[kind as RecordKind]()),
    ),
    ...rooms.list.map((room) => () => room.figures()),
  ];
  return async () => (await Promise.all(sources.map((read) => read().catch(() => [])))).flat();
}

const one = (name: string, help: string, value: number): Figure => ({ name, help, value });

const byLabel = (
  name: string,
  help: string,
  label: string,
  values: Readonly<Record<string, number>>,
): Figure[] =>
  Object.entries(values).map(([key, value]) => ({ name, help, labels: { [label]: key }, value }));

function build({ release, database }: { release: string; database: string }): Figure {
  const labels = { release, database, node: process.version };
  return { name: 'build_info', help: 'Release that runs; always 1', labels, value: 1 };
}

async function diskFigures(folder: string): Promise<Figure[]> {
  const { bavail, blocks, bsize } = await statfs(folder);
  return [
    one('disk_free_bytes', 'Room on the disk of the data folder', bavail * bsize),
    one('disk_size_bytes', 'Size of the disk of the data folder', blocks * bsize),
  ];
}

async function delays(db: Database, clock: Clock): Promise<Figure[]> {
  const now = clock.now();
  return (await dueSince(db.read, now)).map(({ kind, since }) => ({
    name: 'job_delay_seconds',
    help: 'Time for which the oldest due work has waited, by kind',
    labels: { kind },
    value: (now - since) / 1000,
  }));
}
