import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres } from '../setup/postgres.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { cursorAfter, FILTERS, fillStore } from './fill-store.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const JOBS = 100_000;
const PAGE = 50;
const FAR_PAGE = 1_000;
const ROUNDS = 9;
const REQUESTS = 24;
/** Queries that read more than one page of a list. */
const OTHERS: Readonly<Record<string, { path: string; bar: number }>> = {
  'counts of 100,000': { path: '/fax/counts', bar: 15 },
  'a text that nothing has': { path: '/fax?q=nowhere', bar: 15 },
  'a text that nothing of one person has': { path: '/fax?q=nowhere&created_by=principal-1', bar: 15 },
  'recent numbers of 20,000': { path: '/fax/numbers?limit=20', bar: 1.5 },
  'a part of a number of 20,000': { path: '/fax/numbers?limit=20&q=5619999', bar: 5 },
  'a number checked': { path: '/fax/numbers/check?to=%2B12025600001', bar: 1.5 },
};

/** Page 1,000 of 100,000 faxes against page 1 with every filter, and what looks through all of them; on each database. */
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
  const ask = (path: string) => async () =>
    1000 /
    (await load.sendAll(REQUESTS, { method: 'GET', path, headers: { 'X-API-Key': BENCH_KEY }, expect: 200 }));
  try {
    const figures: Figure[] = [];
    for (const { label, query, matches: fits } of FILTERS) {
      const cursor = cursorAfter(JOBS, PAGE * (farPage(label) - 1), fits);
      const first = `/fax?limit=${PAGE}&${query}`;
      figures.push(
        await compare(`page ${farPage(label).toLocaleString('en')} on ${name}, ${label}`, {
          measured: ask(`${first}&cursor=${cursor}`),
          reference: ask(first),
          bar: 1.5,
        }),
      );
    }
    const reference = ask(`/fax?limit=${PAGE}`);
    for (const [what, { path, bar }] of Object.entries(OTHERS))
      figures.push(await compare(`${what} on ${name}`, { measured: ask(path), reference, bar }));
    return figures;
  } finally {
    load.close();
    await child.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

/** Filters together leave fewer faxes than a thousand pages hold. */
function farPage(label: string): number {
  return label.includes(' and ') ? FAR_PAGE / 4 : FAR_PAGE;
}

async function compare(
  name: string,
  sides: { measured: () => Promise<number>; reference: () => Promise<number>; bar: number },
): Promise<Figure> {
  const both = [sides.measured, sides.reference];
  await measureInTurns(2, both);
  const [measured = [], reference = []] = await measureInTurns(ROUNDS, both);
  return {
    name,
    ratio: ratioOf(measured, reference),
    bar: sides.bar,
    atMost: true,
    unit: 'of page 1',
    detail: `${median(measured).toFixed(1)} ms, page 1 ${median(reference).toFixed(1)} ms`,
  };
}
