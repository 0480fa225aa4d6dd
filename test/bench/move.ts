import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { createLocalStorage } from '../../server/adapters/storage/local.ts';
import { storesOf } from '../../server/composition/move-stores.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { openDatabase } from '../../server/db/database.ts';
import { movedTables } from '../../server/db/move-tables.ts';
import { type StoreLocation, withSnapshot } from '../../server/db/snapshot.ts';
import { insertRows } from '../../server/db/staging.ts';
import { type MoveChildResult, runMoveChild } from '../restart/move-run.ts';
import { bootOptions } from '../setup/boot-options.ts';
import { buildChildIfStale } from '../setup/built-child.ts';
import { allRows } from '../setup/fill-every-table.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { startPostgres } from '../setup/postgres.ts';
import type { Figure } from './figure.ts';
import { filledId, fillStore } from './fill-store.ts';

const FAXES = 100_000;
const DOCUMENTS = 2_000;
const KILLS = 10;
/** Rows of one transaction of the move. */
const PAGE_ROWS = 250;
const MOST_MB = 400;
const MOST_TIMES = 6;
/** The record of a move is added there. */
const CHANGED = ['security_event', 'security_chain'];

/** An installation with 100,000 faxes that moves to PostgreSQL and a bucket, interrupted at ten places, and back. */
export async function run(): Promise<Figure[]> {
  await buildChildIfStale();
  const postgres = await startPostgres();
  if ('unavailable' in postgres) throw new Error(postgres.unavailable);
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  try {
    const boot = bootOf(dataFolder, await postgres.createDatabase());
    await makeInstallation(boot);
    const { sqlite, postgres: target } = storesOf(boot);
    const before = await allRows(sqlite.location);
    const plain = await copyPlainly(sqlite.location, await postgres.createDatabase());
    const there = await moveWithKills(boot, 'postgres');
    await compare(before, target.location);
    const bucket = await moveDocuments(boot);
    const later = await allRows(target.location);
    const whole = await runMoveChild({ boot, to: 'sqlite', killAt: null });
    if (whole === null) throw new Error('the move was killed');
    await compare(later, sqlite.location);
    const rows = Object.values(before).reduce((sum, lines) => sum + lines.length, 0);
    return [
      ...figuresOf('to PostgreSQL, with ten kills', there, { plain, rows }),
      ...figuresOf('back to SQLite', whole, { plain, rows }),
      bucket,
    ];
  } finally {
    await postgres.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

const bootOf = (dataFolder: string, databaseUrl: string): BootOptions => bootOptions(dataFolder, databaseUrl);

async function makeInstallation({ dataFolder }: BootOptions): Promise<void> {
  const gateway = await startTestGateway({ dataFolder });
  await gateway.stop();
  await gateway.emulator.close();
  await fillStore({ postgresUrl: null, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, FAXES);
  const storage = await createLocalStorage(join(dataFolder, 'files'));
  for (let n = 0; n < DOCUMENTS; n += 1)
    await storage.write(`fax/${filledId(n)}.pdf`, Buffer.from(`%PDF-1.7 ${n}`));
}

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

/** Returns the sum of the times, and the largest memory of the runs that ended by themselves. */
async function moveWithKills(boot: BootOptions, to: 'postgres' | 'sqlite'): Promise<MoveChildResult> {
  // A page has two steps, and most pages have the most rows.
  const killAt = Math.ceil((2 * FAXES * 2) / PAGE_ROWS / (KILLS + 1));
  let ms = 0;
  let kills = 0;
  for (;;) {
    const began = performance.now();
    const result = await runMoveChild({ boot, to, killAt: kills < KILLS ? killAt : null });
    ms += performance.now() - began;
    if (result !== null && kills === KILLS) return { ...result, ms };
    if (result !== null) throw new Error(`it ended after ${kills} kills`);
    kills += 1;
  }
}

async function compare(before: Record<string, string[]>, location: StoreLocation): Promise<void> {
  const after = await allRows(location, CHANGED);
  for (const [table, rows] of Object.entries(before)) {
    if (CHANGED.includes(table)) continue;
    if (JSON.stringify(after[table]) !== JSON.stringify(rows)) throw new Error(`${table} differs`);
  }
}

/** Moves the documents to a bucket and back, and compares them. */
async function moveDocuments(boot: BootOptions): Promise<Figure> {
  const files = join(boot.dataFolder, 'files', 'fax');
  const before = await digestOf(files);
  const service = new Worker(new URL('../setup/s3-thread.ts', import.meta.url));
  const [url] = (await once(service, 'message')) as [string];
  const settings = {
    S3_BUCKET: 'faxes',
    S3_ENDPOINT_URL: url,
    S3_PATH_STYLE: true,
    AWS_ACCESS_KEY_ID: 'a',
    AWS_SECRET_ACCESS_KEY: 'b',
  };
  const { dataFolder, databaseUrl } = boot;
  const options = { dataFolder, databaseUrl, boot: { severalGateways: false } };
  const copyMs = await copyFiles(files, join(dataFolder, 'copies'));
  let gateway = await startTestGateway(options);
  try {
    await gateway.set({ ...settings, STORAGE_BACKEND: 's3' });
    const began = performance.now();
    await moveAll(gateway, KILLS);
    const ms = performance.now() - began;
    gateway = await gateway.restart();
    if ((await readdir(files)).length > 0) throw new Error('documents are left in the folder');
    await gateway.set({ STORAGE_BACKEND: 'local' });
    await moveAll(gateway, 0);
    if ((await digestOf(files)) !== before) throw new Error('documents differ');
    return {
      name: `${DOCUMENTS} documents to a bucket, against copying files`,
      ratio: Number((ms / copyMs).toFixed(1)),
      unit: 'times',
      bar: 0,
      detail: `${Math.round(DOCUMENTS / (ms / 1_000))} documents a second`,
    };
  } finally {
    await gateway.stop();
    await gateway.emulator.close();
    await service.terminate();
  }
}

/** Moves documents in steps, beginning anew so many times, as after an interruption. */
async function moveAll(gateway: TestGateway, interruptions: number): Promise<void> {
  let after: string | undefined;
  let left = interruptions;
  for (;;) {
    const answer = await gateway.request('POST', '/console/storage/move', {
      json: after === undefined ? {} : { after },
    });
    const step = (await answer.json()) as { next: string | null; failed?: unknown[]; detail?: string };
    if (!answer.ok || (step.failed?.length ?? 0) > 0) throw new Error(JSON.stringify(step));
    if (step.next === null) return;
    after = left > 0 ? undefined : step.next;
    left -= 1;
  }
}

async function copyFiles(from: string, to: string): Promise<number> {
  const began = performance.now();
  await mkdir(to);
  for (const name of await readdir(from)) await copyFile(join(from, name), join(to, name));
  const ms = performance.now() - began;
  await rm(to, { recursive: true });
  return ms;
}

async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) {
    hash.update(name);
    for await (const chunk of createReadStream(join(folder, name))) hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

function figuresOf(
  what: string,
  { ms, maxBytes }: MoveChildResult,
  { plain, rows }: { plain: number; rows: number },
): Figure[] {
  return [
    {
      name: `moving ${rows} rows ${what}, against plain copying`,
      ratio: Number((ms / plain).toFixed(2)),
      unit: 'times',
      bar: MOST_TIMES,
      atMost: true,
      detail: `${Math.round(rows / (ms / 1_000))} rows a second, ${Math.round(ms / 1_000)} s`,
    },
    {
      name: `memory of moving ${what}`,
      ratio: Math.round(maxBytes / 1024 / 1024),
      unit: 'MB',
      bar: MOST_MB,
      atMost: true,
      detail: 'at most',
    },
  ];
}
