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

const FAXES = 100_000;
/** The last of the three months of the faxes; it has 15,040 of them. */
const MONTH = { year: 2026, month: 3 };
/** Number of lists that are timed before the removal. */
const LISTS = 200;
/** Delay in ms that a person does not notice. */
const MAX_LIST_MS = 300;

/** Measures the slowest list while 15,040 archived faxes are removed from a store of 100,000, on each database. */
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
  await fillStore(where, FAXES);
  await clearDocuments(where);
  const options = { dataFolder, databaseUrl, environment: { ARTIFACT_TTL_DAYS: '0' }, isQuiet: true };
  const child = await startChild<GatewayReady>('gateway-process.ts', options);
  try {
    const fetchPath = createFetchPath(child.ready.url);
    const idleTimes: number[] = [];
    for (let list = 0; list < LISTS; list += 1) idleTimes.push(await timeList(fetchPath));
    const checkTimes: number[] = [];
    const checked = await check(fetchPath, checkTimes);
    const began = performance.now();
    await fetchPath(`/archive-removals/${checked.id}/start`, json({ version: checked.version }));
    const removalTimes: number[] = [];
    let removal = checked;
    while (removal.state !== 'done') {
      for (let list = 0; list < 10; list += 1) removalTimes.push(await timeList(fetchPath));
      removal = (await (await fetchPath(`/archive-removals/${checked.id}`)).json()) as Removal;
    }
    const seconds = (performance.now() - began) / 1000;
    const slowest = Math.max(...removalTimes);
    return [
      {
        name: `slowest list while ${removal.removed.sent.toLocaleString('en')} of 100,000 faxes are removed from ${name}`,
        ratio: Math.round(slowest),
        bar: MAX_LIST_MS,
        atMost: true,
        unit: 'ms',
        detail: `median ${median(removalTimes).toFixed(1)} ms of ${removalTimes.length}, without a removal ${median(idleTimes).toFixed(1)} ms, slowest ${Math.max(...idleTimes).toFixed(0)} ms, slowest during the check ${Math.max(...checkTimes).toFixed(0)} ms of ${checkTimes.length}; ${seconds.toFixed(0)} s`,
      },
    ];
  } finally {
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** Removes the names of documents from the filled store, because the documents do not exist. */
async function clearDocuments(where: { postgresUrl: string | null; sqliteFile: string }): Promise<void> {
  const db = openDatabase(where);
  await db.transaction(
    async (tx) => void (await tx.updateTable('fax_job').set({ artifact: null }).execute()),
  );
  await db.close();
}

type FetchPath = (path: string, init?: RequestInit) => Promise<Response>;

const createFetchPath =
  (url: string): FetchPath =>
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

/** Times one request of the list of sent faxes, in ms. */
async function timeList(fetchPath: FetchPath): Promise<number> {
  const began = performance.now();
  await (await fetchPath('/fax?limit=50')).arrayBuffer();
  return performance.now() - began;
}

/** Downloads the archive of the month and has it checked for a removal. Adds to `times` the lists read during the check, in ms. */
async function check(fetchPath: FetchPath, times: number[]): Promise<Removal> {
  const archive = await (await fetchPath(`/archives/${MONTH.year}?month=${MONTH.month}`)).blob();
  const upload_id = randomBytes(16).toString('hex');
  for (let offset = 0; offset < archive.size; offset += ARCHIVE_PIECE_BYTES) {
    const body = new FormData();
    body.append('piece', archive.slice(offset, offset + ARCHIVE_PIECE_BYTES), 'piece');
    await (
      await fetchPath(`/archive-uploads/${upload_id}?offset=${offset}`, { method: 'POST', body })
    ).text();
  }
  const made = await fetchPath('/archive-removals', json({ upload_id, ...MONTH }));
  let removal = (await made.json()) as Removal;
  while (removal.state === 'checking') {
    for (let list = 0; list < 10; list += 1) times.push(await timeList(fetchPath));
    removal = (await (await fetchPath(`/archive-removals/${removal.id}`)).json()) as Removal;
  }
  if (removal.state !== 'ready') throw new Error(removal.problem ?? removal.state);
  return removal;
}
