import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { openCopies } from './copy-days.ts';
import { type DayResult, playDay } from './day.ts';
import { type Figures, measure } from './measure.ts';
import {
  askText,
  closeWorld,
  DAY_MS,
  figureOf,
  keepProgress,
  openWorld,
  type Progress,
  type ProviderTotals,
  readProgress,
  type World,
} from './world.ts';

// `npm run year`: a year of an office through the real door, with its clock and its provider simulated, and the figures of
// the installation at 1, 10 and 100 percent. With `--folder` it goes on where it was broken off, and `--until <day>` ends a
// part of it, so that the days before a measurement may pass beside other work. With `--copied` the days after 10 percent are
// copies of those before, but for the last ones. SIGTERM ends it after the day.
const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '365' },
    sent: { type: 'string', default: '2740' },
    received: { type: 'string', default: '1370' },
    until: { type: 'string' },
    folder: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    copied: { type: 'boolean', default: false },
  },
});
const days = Number(values.days);
const until = Math.min(days, Number(values.until ?? days));
const traffic = { sent: Number(values.sent), received: Number(values.received) };
const points = [...new Set([0.01, 0.1, 1].map((share) => Math.max(1, Math.round(days * share))))];

/** Days at the end that are played where those before are copies. */
const PLAYED_LAST = 5;

const stopping = new AbortController();
process.once('SIGTERM', () => stopping.abort());

const folder = values.folder ?? (await mkdtemp(join(tmpdir(), 'faxdesk-year-')));
await mkdir(join(folder, 'data'), { recursive: true, mode: 0o700 });
if (values.postgres && values.folder !== undefined)
  throw new Error('The database of --postgres is not kept.');
if (values.postgres && values.copied) throw new Error('Days are copied in the built-in database alone.');
const server = values.postgres ? await startDurablePostgres() : null;
if (server !== null && 'unavailable' in server) throw new Error(server.unavailable);
try {
  const databaseUrl = server === null ? null : await server.createDatabase();
  const played = points.at(-2);
  if (values.copied && played !== undefined) {
    await playYear(databaseUrl, Math.min(until, played));
    await copyYear(played, Math.min(until, days - PLAYED_LAST));
  }
  await playYear(databaseUrl, until);
} finally {
  await server?.close();
  if (values.folder === undefined) await rm(folder, { recursive: true, force: true });
}
process.exit();

function readYear(): Promise<Progress> {
  return readProgress(folder, {
    day: 0,
    sent: 0,
    received: 0,
    finished: 0,
    seconds: 0,
    accepted: 0,
    copied: 0,
    beganAt: Date.now() - days * DAY_MS,
  });
}

/** Copies the days before `end` that are missing from those that were played until then, but for the first and the last one. */
async function copyYear(played: number, end: number): Promise<void> {
  let progress = await readYear();
  if (progress.day < played || progress.day >= end) return;
  const copies = await openCopies(join(folder, 'data'));
  try {
    while (progress.day < end && !stopping.signal.aborted) {
      const began = performance.now();
      const source = 1 + ((progress.day - played) % (played - 2));
      const { beganAt, day } = progress;
      const finished = await copies.copy({ source, by: day - source, beganAt });
      const seconds = (performance.now() - began) / 1000;
      progress = {
        ...afterDay(progress, { finished, seconds }, 0),
        copied: progress.copied + traffic.sent,
      };
      await keepProgress(folder, progress);
      console.error(`day ${progress.day}: copied from day ${source + 1}, ${seconds.toFixed(1)} s`);
    }
  } finally {
    copies.close();
  }
}

async function playYear(databaseUrl: string | null, last: number): Promise<void> {
  let progress = await readYear();
  if (progress.day >= last && last < days) return;
  const tables: Array<readonly [string, Figures]> = await readTables();
  const world = await openWorld(folder, databaseUrl, progress);
  try {
    const rates: number[] = [];
    let [walMb, lastAccepted] = [0, 0];
    while (progress.day < last && !stopping.signal.aborted) {
      const result = await playDay(world, progress, traffic);
      const { accepted, refusedCallbacks } = await world.provider.call<ProviderTotals>('totals');
      if (refusedCallbacks > 0) throw new Error(`${refusedCallbacks} callbacks were refused`);
      progress = afterDay(progress, result, accepted - lastAccepted);
      lastAccepted = accepted;
      walMb = Math.max(walMb, result.walMb);
      rates.push(result.acceptRate);
      await keepProgress(folder, progress);
      console.error(lineOf(progress, result.acceptRate, result.seconds));
      if (!points.includes(progress.day)) continue;
      const rate = rates.splice(0).slice(-10);
      const figures: Figures = {
        'Faxes sent, received': `${progress.sent.toLocaleString('en')}, ${progress.received.toLocaleString('en')}`,
        Accepting: `${(rate.reduce((sum, each) => sum + each, 0) / rate.length).toFixed(0)}/s`,
        ...(await measure(world)),
        'Largest write-ahead log': `${walMb} MB`,
      };
      lastAccepted = (await world.provider.call<ProviderTotals>('totals')).accepted;
      tables.push([`${Math.round((progress.day / days) * 100)} %`, figures]);
      await writeFile(join(folder, 'figures.json'), JSON.stringify(tables));
      for (const line of tableOf(tables)) console.log(line);
    }
    if (progress.day === days) await judge(world, progress);
  } finally {
    await closeWorld(world);
  }
}

function afterDay(
  before: Progress,
  { finished, seconds }: Pick<DayResult, 'finished' | 'seconds'>,
  accepted: number,
): Progress {
  return {
    ...before,
    day: before.day + 1,
    sent: before.sent + traffic.sent,
    received: before.received + traffic.received,
    finished: before.finished + finished,
    seconds: before.seconds + seconds,
    accepted: before.accepted + accepted,
  };
}

async function readTables(): Promise<Array<readonly [string, Figures]>> {
  const text = await readFile(join(folder, 'figures.json'), 'utf8').catch(() => '[]');
  return JSON.parse(text) as Array<readonly [string, Figures]>;
}

function lineOf({ day, sent, received, seconds }: Progress, rate: number, ofDay: number): string {
  return `day ${day}: ${sent} sent, ${received} received; ${rate.toFixed(0)}/s accepted, ${ofDay.toFixed(1)} s, ${Math.round(seconds / 60)} min in all`;
}

/** Compares the counts of the gateway with the faxes that were sent and received, and those that the provider took. */
async function judge(world: World, { sent, received, finished, accepted, copied }: Progress): Promise<void> {
  const metrics = await askText(world, '/metrics');
  const sum = (name: string, states: readonly string[]) =>
    states.reduce((total, state) => total + figureOf(metrics, `${name}{state="${state}"}`), 0);
  const ended = sum('faxdesk_faxes', ['success', 'failed']);
  const filed = sum('faxdesk_received_faxes', ['received']);
  const done = sum('faxdesk_work_items', ['done']);
  console.log(
    `sent ${sent}: ${ended} ended, ${accepted} taken by the provider, ${copied} copied; received ${received}: ${filed} filed, ${finished} finished, ${done} done`,
  );
  const isRight = ended === sent && accepted + copied === sent && filed === received && done === finished;
  if (!isRight) process.exitCode = 1;
}

/** A Markdown table of the points side by side. */
function tableOf(tables: ReadonlyArray<readonly [string, Figures]>): string[] {
  const names = [...new Set(tables.flatMap(([, figures]) => Object.keys(figures)))];
  const head = ['', ...tables.map(([share]) => share)];
  return [
    `| ${head.join(' | ')} |`,
    `|${'---|'.repeat(head.length)}`,
    ...names.map((name) => `| ${[name, ...tables.map(([, figures]) => figures[name] ?? '')].join(' | ')} |`),
  ];
}
