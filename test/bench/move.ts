import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { storesOf } from '../../server/composition/move-stores.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { openDatabase } from '../../server/db/database.ts';
import { movedTables } from '../../server/db/move-tables.ts';
import { type StoreLocation, withSnapshot } from '../../server/db/snapshot.ts';
import { insertRows } from '../../server/db/staging.ts';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { type MoveChildResult, runMoveChild } from '../restart/move-run.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { buildChildIfStale } from '../setup/built-child.ts';
import { allRows } from '../setup/fill-every-table.ts';
import type { BucketReady } from './bucket-process.ts';
import { startChild } from './child.ts';
import type { Figure } from './figure.ts';
import { type Bucket, type DocumentsMoved, moveDocuments } from './move-documents.ts';
import { type Documents, documentsIn, makeInstallation } from './move-installation.ts';

/** A smaller one tries the bench out. */
const FAXES = Number(process.env['BENCH_FAXES'] ?? 100_000);
/** In each direction, and as many while documents are moved. The last of the rows is while both databases are compared. */
const ROW_KILLS = 5;
const DOCUMENT_KILLS = ['gateway', 'command', 'gateway', 'command', 'gateway'] as const;
const PREFIX = 'office/';
/** Rows of one transaction of the move, which has two steps. */
const PAGE_ROWS = 250;
const MOST_MB = 400;
const MOST_TIMES = 6;
/** The record of a move is added there. */
const CHANGED = ['security_event', 'security_chain'];
/** Tables that a gateway writes by itself while it moves documents, and at the change of where they go. */
const OF_THE_GATEWAY: readonly string[] = [
  ...CHANGED,
  'installation',
  'job',
  'security_count',
  'setting',
  'settings_revision',
];

type Rows = Record<string, string[]>;

/**
 * An installation with 100,000 faxes and their documents that moves to PostgreSQL and a bucket, killed at ten places, and back,
 * killed at ten more.
 */
export async function run(): Promise<Figure[]> {
  await buildChildIfStale();
  await buildGatewayIfStale();
  const server = await startDurablePostgres();
  if ('unavailable' in server) throw new Error(server.unavailable);
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const bucket = await startChild<BucketReady>('bucket-process.ts', {});
  try {
    const databaseUrl = await server.createDatabase();
    const settings = { ...bucket.ready.settings, STORAGE_BACKEND: 'local' };
    await makeInstallation(dataFolder, FAXES, settings);
    const boot = bootOptions(dataFolder, databaseUrl);
    const plainMs = await copyPlainly(storesOf(boot).sqlite.location, await server.createDatabase());
    return await thereAndBack({ boot, databaseUrl, bucket, plainMs });
  } finally {
    await bucket.stop();
    await server.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

interface Parts {
  readonly boot: BootOptions;
  readonly databaseUrl: string;
  readonly bucket: Bucket;
  /** Time of copying the rows without keeping where it is, and without comparing. */
  readonly plainMs: number;
}

async function thereAndBack(parts: Parts): Promise<Figure[]> {
  const { boot, databaseUrl, bucket } = parts;
  const { dataFolder } = boot;
  const { sqlite, postgres } = storesOf(boot);
  const before = await allRows(sqlite.location);
  const files = await documentsIn(dataFolder);
  const rows = Object.values(before).reduce((sum, lines) => sum + lines.length, 0);
  const move = { dataFolder, databaseUrl, bucket, documents: files.digests.size, kills: DOCUMENT_KILLS };
  say(`${rows} rows, ${files.digests.size} documents of ${Math.round(files.bytes / 1e6)} MB`);

  const rowsThere = await moveWithKills(boot, 'postgres', rows);
  assertSame(before, await allRows(postgres.location), CHANGED);
  say(
    `the rows of ${Object.keys(before).length} tables are the same in PostgreSQL: ${JSON.stringify(costOf(rowsThere))}`,
  );
  const documentsThere = await moveDocuments({ ...move, to: 's3' });
  await assertInBucket(bucket, files);
  await assertNone(dataFolder);
  say(
    `the documents in the bucket are the same, and none is in the folder: ${JSON.stringify(documentsThere)}`,
  );

  const documentsBack = await moveDocuments({ ...move, to: 'local' });
  assertSameDocuments(await documentsIn(dataFolder), files);
  const later = await allRows(postgres.location);
  say(`the documents in the folder are the same again: ${JSON.stringify(documentsBack)}`);
  const rowsBack = await moveWithKills(boot, 'sqlite', rows);
  const after = await allRows(sqlite.location);
  assertSame(later, after, CHANGED);
  assertSame(before, after, OF_THE_GATEWAY);
  say(`the rows of the built-in database are the same again: ${JSON.stringify(costOf(rowsBack))}`);
  const copyMs = await copyFiles(dataFolder);
  return [
    ...figuresOf('to PostgreSQL', rowsThere, { plain: parts.plainMs, rows }),
    ...documentFigures('to a bucket', documentsThere, { files, copyMs }),
    ...documentFigures('back to the folder', documentsBack, { files, copyMs }),
    ...figuresOf('back to SQLite', rowsBack, { plain: parts.plainMs, rows }),
  ];
}

/** A run takes an hour on a busy computer: each part is shown when it is done. */
const say = (words: string) => console.error(`  ${inSeconds(performance.now())} s: ${words}`);

/** Copies the rows of all tables without keeping where it is, and without comparing. Returns the time in ms. */
async function copyPlainly(source: StoreLocation, url: string): Promise<number> {
  const db = openDatabase({ postgresUrl: url, sqliteFile: '' }, { hasNoQueryTimeout: true });
  try {
    const { migrate } = await import('../../server/db/migrator.ts');
    await migrate(db.unrestricted as never);
    const tables = await movedTables(db);
    const began = performance.now();
    await withSnapshot(source, async ({ rows }) => {
      for (const table of tables.filter((name) => name !== 'security_chain')) {
        let batch: Record<string, unknown>[] = [];
        const flush = () => db.transaction((tx) => insertRows(tx, table, batch));
        for await (const row of rows(table)) {
          if (batch.push(row) < 1_000) continue;
          await flush();
          batch = [];
        }
        await flush();
      }
    });
    return performance.now() - began;
  } finally {
    await db.close();
  }
}

/** Returns the sum of the times, and the largest memory of the run that ended by itself. */
async function moveWithKills(
  boot: BootOptions,
  to: 'postgres' | 'sqlite',
  rows: number,
): Promise<MoveChildResult> {
  const killAt = Math.ceil((2 * rows) / PAGE_ROWS / ROW_KILLS);
  let ms = 0;
  for (let kills = 0; ; kills += 1) {
    const began = performance.now();
    const result = await runMoveChild({
      boot,
      to,
      killAt: kills < ROW_KILLS - 1 ? killAt : null,
      killComparing: kills === ROW_KILLS - 1,
    });
    ms += performance.now() - began;
    if (result !== null && kills === ROW_KILLS) return { ...result, ms };
    if (result !== null) throw new Error(`it ended after ${kills} kills`);
  }
}

/** Throws where a table differs. Tables that were added to must have what they had before. */
function assertSame(before: Rows, after: Rows, added: readonly string[]): void {
  const differing = Object.entries(before).filter(
    ([table, rows]) => JSON.stringify(after[table]) !== JSON.stringify(rows),
  );
  const wrong = differing.filter(([table]) => !added.includes(table));
  if (wrong.length > 0) throw new Error(`other rows in ${wrong.map(([table]) => table).join(', ')}`);
  const events = new Set(after['security_event']);
  if (!before['security_event']?.every((row) => events.has(row)))
    throw new Error('records of the audit are missing');
}

function assertSameDocuments({ digests }: Pick<Documents, 'digests'>, files: Documents): void {
  if (digests.size !== files.digests.size)
    throw new Error(`${digests.size} instead of ${files.digests.size} documents`);
  for (const [name, digest] of files.digests)
    if (digests.get(name) !== digest) throw new Error(`${name} differs`);
}

async function assertInBucket(bucket: Bucket, files: Documents): Promise<void> {
  const found = await bucket.call<Record<string, string>>('digests');
  const digests = new Map(
    Object.entries(found)
      .filter(([key]) => !key.endsWith('/installation.json'))
      .map(([key, digest]) => [key.slice(PREFIX.length), digest]),
  );
  assertSameDocuments({ digests }, files);
}

async function assertNone(dataFolder: string): Promise<void> {
  const { digests } = await documentsIn(dataFolder);
  if (digests.size > 0) throw new Error(`${digests.size} documents are left in the folder`);
}

/** Copies the documents as files. Returns the time in ms. */
async function copyFiles(dataFolder: string): Promise<number> {
  const to = join(dataFolder, 'copies');
  const began = performance.now();
  for (const folder of ['fax', 'inbound']) {
    const from = join(dataFolder, 'files', folder);
    await mkdir(join(to, folder), { recursive: true });
    for (const name of await readdir(from)) await copyFile(join(from, name), join(to, folder, name));
  }
  const ms = performance.now() - began;
  await rm(to, { recursive: true });
  return ms;
}

const costOf = ({ ms, maxBytes }: MoveChildResult) => ({ ms, maxBytes });
const inSeconds = (ms: number) => Math.round(ms / 1_000);
const inMb = (bytes: number) => Math.round(bytes / 1024 / 1024);

function figuresOf(
  what: string,
  { ms, maxBytes }: MoveChildResult,
  { plain, rows }: { plain: number; rows: number },
): Figure[] {
  return [
    {
      name: `moving ${rows} rows ${what}, killed ${ROW_KILLS} times, against plain copying`,
      ratio: Number((ms / plain).toFixed(2)),
      unit: 'times',
      bar: MOST_TIMES,
      atMost: true,
      detail: `${Math.round(rows / (ms / 1_000))} rows a second, ${inSeconds(ms)} s`,
    },
    {
      name: `memory of moving rows ${what}`,
      ratio: inMb(maxBytes),
      unit: 'MB',
      bar: MOST_MB,
      atMost: true,
      detail: 'at most, in the last run',
    },
  ];
}

function documentFigures(
  what: string,
  { ms, maxBytes, inBoth, readyMs }: DocumentsMoved,
  { files, copyMs }: { files: Documents; copyMs: number },
): Figure[] {
  const count = files.digests.size;
  return [
    {
      name: `moving ${count} documents ${what}, killed ${DOCUMENT_KILLS.length} times, against copying files`,
      ratio: Number((ms / copyMs).toFixed(1)),
      unit: 'times',
      bar: 0,
      detail: `${Math.round(count / (ms / 1_000))} documents, ${(files.bytes / 1e6 / (ms / 1_000)).toFixed(1)} MB a second, ${inSeconds(ms)} s; in both places after the kills: ${inBoth.join(', ')}; ready again in ${(readyMs / 1_000).toFixed(1)} s`,
    },
    {
      name: `memory of the gateway that moves documents ${what}`,
      ratio: inMb(maxBytes),
      unit: 'MB',
      bar: MOST_MB,
      atMost: true,
      detail: 'at most',
    },
  ];
}
