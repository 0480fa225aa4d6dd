import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../setup/postgres.ts';
import { startChild } from './child.ts';
import { BENCH_KEY } from './fax-upload.ts';
import { type Figure, inTurns, median, ratioOf } from './figure.ts';
import { cursorAfter, FILTERS, fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const JOBS = 100_000;
const PAGE = 50;
const FAR_PAGE = 1_000;
const ROUNDS = 9;
const REQUESTS = 24;

/** Page 1,000 of 100,000 faxes against page 1, on each database that is there. */
export async function run(): Promise<Figure[]> {
  const figures = await listOn('SQLite', null);
  const postgres = await startPostgres();
  if ('unavailable' in postgres) {
    console.error(`listing on PostgreSQL is not measured: ${postgres.unavailable}`);
    return figures;
  }
  try {
    return [...figures, ...(await listOn('PostgreSQL', await postgres.createDatabase()))];
  } finally {
    await postgres.stop();
  }
}

async function listOn(name: string, databaseUrl: string | null): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  await fillStore({ postgresUrl: databaseUrl, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, JOBS);
  const options = { dataFolder, databaseUrl, environment: {} };
  const child = await startChild<GatewayReady>('gateway-process.ts', options);
  const load = new Load(child.ready.url, 1);
  const page = (query: string) => async () => {
    const path = `/fax?limit=${PAGE}${query}`;
    return (
      1000 /
      (await load.fire(REQUESTS, { method: 'GET', path, headers: { 'X-API-Key': BENCH_KEY }, expect: 200 }))
    );
  };
  try {
    const figures: Figure[] = [];
    for (const [filter, fits] of Object.entries(FILTERS)) {
      const cursor = cursorAfter(JOBS, PAGE * (FAR_PAGE - 1), fits);
      const sides = [page(filter), page(`${filter}&cursor=${cursor}`)];
      await inTurns(2, sides);
      const [first = [], far = []] = await inTurns(ROUNDS, sides);
      const label = filter === '' ? '' : `, ${filter.slice(1).split('=')[0]}`;
      figures.push({
        name: `page 1,000 on ${name}${label}`,
        ratio: ratioOf(far, first),
        bar: 1.5,
        atMost: true,
        unit: 'of page 1',
        detail: `${median(far).toFixed(1)} ms, page 1 ${median(first).toFixed(1)} ms`,
      });
    }
    return figures;
  } finally {
    load.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}
