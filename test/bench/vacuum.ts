import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { type DayResult, playDay } from '../year/day.ts';
import { closeWorld, openWorld, type Progress, type World } from '../year/world.ts';
import { BENCH_KEY } from './bench-key.ts';
import { type Figure, median } from './figure.ts';
import { Load } from './load.ts';

/** Days of an office that follow each other without a pause. */
const DAYS = 6;
const TRAFFIC = { sent: 2740, received: 1370 };
const SAMPLE_MS = 250;
/** Tables that change most for each fax. */
const BUSY_TABLES = ['job', 'fax_job', 'work_item', 'inbound_fax'];

/** Values of one sample: time of a list, and the garbage of the database. */
interface Sample {
  readonly listMs: number;
  /** SQLite: size of the write-ahead log; PostgreSQL: rows of the busy tables that nothing reads any longer. */
  readonly garbage: number;
}

/** Reads the garbage of a database, and describes it at the end. */
interface Upkeep {
  read(): Promise<number>;
  describe(): Promise<string>;
}

/**
 * Measures whether the upkeep of the database, checkpoints and vacuum, keeps up with days of faxes that follow each other:
 * lists and the rate of the last days against those of the first, with the log and the dead rows meanwhile.
 */
export async function run(): Promise<Figure[]> {
  const figures = await playOn('SQLite', null, sqliteUpkeep);
  const postgres = await startDurablePostgres();
  if ('unavailable' in postgres) {
    console.error(`vacuum on PostgreSQL is not measured: ${postgres.unavailable}`);
    return figures;
  }
  try {
    const url = await postgres.createDatabase();
    return [...figures, ...(await playOn('PostgreSQL', url, () => postgresUpkeep(url)))];
  } finally {
    await postgres.close();
  }
}

async function playOn(
  name: string,
  databaseUrl: string | null,
  openUpkeep: (dataFolder: string) => Promise<Upkeep & AsyncDisposable>,
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  await mkdir(join(folder, 'data'), { mode: 0o700 });
  try {
    const before = {
      day: 0,
      sent: 0,
      received: 0,
      finished: 0,
      seconds: 0,
      accepted: 0,
      copied: 0,
      beganAt: Date.now(),
    };
    const world = await openWorld(folder, databaseUrl, before);
    try {
      await using upkeep = await openUpkeep(world.dataFolder);
      return await playDays(name, world, before, upkeep);
    } finally {
      await closeWorld(world);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function playDays(name: string, world: World, before: Progress, upkeep: Upkeep): Promise<Figure[]> {
  const days: { result: DayResult; samples: readonly Sample[] }[] = [];
  let finished = 0;
  for (let day = 0; day < DAYS; day += 1) {
    const [sent, received] = [day * TRAFFIC.sent, day * TRAFFIC.received];
    const progress = { ...before, day, sent, received, finished };
    const [result, samples] = await sampleWhile(world, upkeep, () => playDay(world, progress, TRAFFIC));
    days.push({ result, samples });
    finished += result.finished;
    console.error(`${name}, day ${day + 1}: ${lineOf(result, samples)}`);
  }
  // The first day warms up.
  const [early, late] = [days.slice(1, 3), days.slice(-2)];
  const lists = (part: typeof days) => part.flatMap(({ samples }) => samples.map(({ listMs }) => listMs));
  const secondsOf = (part: typeof days) => median(part.map(({ result }) => result.seconds));
  const garbage = days.flatMap(({ samples }) => samples.map((each) => each.garbage));
  return [
    {
      name: `a day of faxes on ${name}, the last of ${DAYS} against the second`,
      ratio: Number((secondsOf(late) / secondsOf(early)).toFixed(2)),
      bar: 1.15,
      atMost: true,
      unit: 'times',
      detail: `${secondsOf(early).toFixed(0)} and ${secondsOf(late).toFixed(0)} s for ${TRAFFIC.sent} sent and ${TRAFFIC.received} received; ${await upkeep.describe()}, at most ${Math.max(...garbage).toLocaleString('en')} meanwhile`,
    },
    {
      name: `the list of sent faxes during them on ${name}, median`,
      ratio: Number((median(lists(late)) / median(lists(early))).toFixed(2)),
      bar: 1.25,
      atMost: true,
      unit: 'times',
      detail: `${median(lists(early)).toFixed(1)} and ${median(lists(late)).toFixed(1)} ms, slowest ${Math.max(...lists(early)).toFixed(0)} and ${Math.max(...lists(late)).toFixed(0)} ms`,
    },
  ];
}

function lineOf({ seconds, acceptRate }: DayResult, samples: readonly Sample[]): string {
  const lists = samples.map(({ listMs }) => listMs);
  const garbage = Math.max(...samples.map((each) => each.garbage)).toLocaleString('en');
  return `${seconds.toFixed(1)} s, ${acceptRate.toFixed(0)}/s accepted; list ${median(lists).toFixed(1)} ms, slowest ${Math.max(...lists).toFixed(0)} ms; ${garbage} left behind`;
}

/** Samples the list and the garbage until the work has ended. */
async function sampleWhile<T>(
  world: World,
  upkeep: Upkeep,
  work: () => Promise<T>,
): Promise<[result: T, samples: Sample[]]> {
  const samples: Sample[] = [];
  const load = new Load(world.gateway.ready.url, 1);
  const list = { method: 'GET', path: '/fax?limit=50', headers: { 'X-API-Key': BENCH_KEY }, expect: 200 };
  const ending = new AbortController();
  const sample = async () => {
    while (!ending.signal.aborted) {
      const began = performance.now();
      await load.sendOne(list);
      samples.push({ listMs: performance.now() - began, garbage: await upkeep.read() });
      await pause(SAMPLE_MS);
    }
  };
  const sampling = sample();
  try {
    return [await work(), samples];
  } finally {
    ending.abort();
    await sampling;
    load.close();
  }
}

/** Reads the size of the write-ahead log, in bytes. */
function sqliteUpkeep(dataFolder: string): Promise<Upkeep & AsyncDisposable> {
  const sizeOf = (file: string) => stat(join(dataFolder, file)).then(({ size }) => size);
  return Promise.resolve({
    read: () => sizeOf('faxdesk.sqlite-wal').catch(() => 0),
    describe: async () => `database ${((await sizeOf('faxdesk.sqlite')) / 1e6).toFixed(0)} MB, log in bytes`,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
}

/** Reads the dead rows of the busy tables; the server vacuums by its own rules. */
async function postgresUpkeep(url: string): Promise<Upkeep & AsyncDisposable> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const tables = `select relname, n_live_tup::int as live, n_dead_tup::int as dead, autovacuum_count::int as vacuums,
      (pg_total_relation_size(relid) / 1000000)::int as mb
    from pg_stat_user_tables where relname = any($1) order by relname`;
  const readTables = async () =>
    (
      await client.query<{ relname: string; live: number; dead: number; vacuums: number; mb: number }>(
        tables,
        [BUSY_TABLES],
      )
    ).rows;
  return {
    read: async () => (await readTables()).reduce((sum, { dead }) => sum + dead, 0),
    describe: async () =>
      (await readTables())
        .map((row) => `${row.relname} ${row.mb} MB, ${row.vacuums} times vacuumed`)
        .join('; ') + '; dead rows',
    [Symbol.asyncDispose]: () => client.end(),
  };
}
