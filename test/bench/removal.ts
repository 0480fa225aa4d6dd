import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { openDatabase } from '../../server/db/database.ts';
import { ARCHIVE_PIECE_BYTES, type ArchiveRemoval } from '../../shared/api/archives-removal.ts';
import { startPostgres } from '../setup/postgres.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { type Figure, median } from './figure.ts';
import { fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';

type Removal = z.infer<typeof ArchiveRemoval>;

const JOBS = 100_000;
/** The last of the three months that the faxes are from: 15,040 of them. */
const MONTH = { year: 2026, month: 3 };
const LISTS = 200;
/** A person does not notice it. */
const BAR_MS = 300;

/** The slowest list while 15,040 archived faxes leave a store of 100,000; on each database. */
export async function run(): Promise<Figure[]> {
  const figures = await removeOn('SQLite', null);
  const postgres = await startPostgres();
  if ('unavailable' in postgres) {
    console.error(`a removal on PostgreSQL is not measured: ${postgres.unavailable}`);
    return figures;
  }
  try {
    return [...figures, ...(await removeOn('PostgreSQL', await postgres.createDatabase()))];
  } finally {
    await postgres.stop();
  }
}

async function removeOn(name: string, databaseUrl: string | null): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const where = { postgresUrl: databaseUrl, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  await fillStore(where, JOBS);
  await forgetDocuments(where);
  const options = { dataFolder, databaseUrl, environment: { ARTIFACT_TTL_DAYS: '0' }, isQuiet: true };
  const child = await startChild<GatewayReady>('gateway-process.ts', options);
  try {
    const ask = asking(child.ready.url);
    const calm: number[] = [];
    for (let list = 0; list < LISTS; list += 1) calm.push(await timeOf(ask));
    const checking: number[] = [];
    const checked = await check(ask, checking);
    const began = performance.now();
    await ask(`/archive-removals/${checked.id}/start`, json({ version: checked.version }));
    const busy: number[] = [];
    let removal = checked;
    while (removal.state !== 'done') {
      for (let list = 0; list < 10; list += 1) busy.push(await timeOf(ask));
      removal = (await (await ask(`/archive-removals/${checked.id}`)).json()) as Removal;
    }
    const seconds = (performance.now() - began) / 1000;
    const slowest = Math.max(...busy);
    return [
      {
        name: `slowest list while ${removal.removed.sent.toLocaleString('en')} of 100,000 faxes leave ${name}`,
        ratio: Math.round(slowest),
        bar: BAR_MS,
        atMost: true,
        unit: 'ms',
        detail: `median ${median(busy).toFixed(1)} ms of ${busy.length}, without a removal ${median(calm).toFixed(1)} ms, slowest ${Math.max(...calm).toFixed(0)} ms, slowest during the check ${Math.max(...checking).toFixed(0)} ms of ${checking.length}; ${seconds.toFixed(0)} s`,
      },
    ];
  } finally {
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** The filled store names documents that are not there. */
async function forgetDocuments(where: { postgresUrl: string | null; sqliteFile: string }): Promise<void> {
  const db = openDatabase(where);
  await db.transaction(
    async (tx) => void (await tx.updateTable('fax_job').set({ artifact: null }).execute()),
  );
  await db.close();
}

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const asking =
  (url: string): Ask =>
  async (path, init = {}) => {
    const headers = { 'X-API-Key': BENCH_KEY, ...(init.headers as Record<string, string> | undefined) };
    const answer = await fetch(`${url}${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  };

const json = (body: object): RequestInit => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'Content-Type': 'application/json' },
});

async function timeOf(ask: Ask): Promise<number> {
  const began = performance.now();
  await (await ask('/fax?limit=50')).arrayBuffer();
  return performance.now() - began;
}

/** Checks an archive, and adds to `times` those of the lists that are read meanwhile. */
async function check(ask: Ask, times: number[]): Promise<Removal> {
  const archive = await (await ask(`/archives/${MONTH.year}?month=${MONTH.month}`)).blob();
  const upload_id = randomBytes(16).toString('hex');
  for (let offset = 0; offset < archive.size; offset += ARCHIVE_PIECE_BYTES) {
    const body = new FormData();
    body.append('piece', archive.slice(offset, offset + ARCHIVE_PIECE_BYTES), 'piece');
    await (await ask(`/archive-uploads/${upload_id}?offset=${offset}`, { method: 'POST', body })).text();
  }
  const made = await ask('/archive-removals', json({ upload_id, ...MONTH }));
  let removal = (await made.json()) as Removal;
  while (removal.state === 'checking') {
    for (let list = 0; list < 10; list += 1) times.push(await timeOf(ask));
    removal = (await (await ask(`/archive-removals/${removal.id}`)).json()) as Removal;
  }
  if (removal.state !== 'ready') throw new Error(removal.problem ?? removal.state);
  return removal;
}
