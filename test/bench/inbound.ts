import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_KEY } from './bench-key.ts';
import { onBothStores, type TwoStores } from './both-stores.ts';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { fillInbound, INBOUND_FILTERS, inboundCursor, markReadExcept } from './fill-inbound.ts';
import type { GatewayReady } from './gateway-process.ts';
import { measureFiling } from './inbound-filing.ts';
import { Load } from './load.ts';

const MANY = Number(process.env['BENCH_INBOUND'] ?? 1_000_000);
const FEW = 1_000;
const PAGE = 100;
const FAR_PAGE = 5_000;
const ROUNDS = 7;
const REQUESTS = 12;

/** `GET /inbound` over a million received faxes against a thousand, and the time until a reported fax is filed. */
export async function run(): Promise<Figure[]> {
  return [...(await measureFiling()), ...(await onBothStores('the list of received faxes', listOn))];
}

async function listOn(name: string, databases: TwoStores): Promise<Figure[]> {
  const many = await openGateway(databases[0], MANY);
  const few = await openGateway(databases[1], FEW);
  try {
    const figures: Figure[] = [];
    for (const { label, query, fits } of INBOUND_FILTERS) {
      const path = `/inbound?limit=${PAGE}&${query}`;
      const skipped = Math.floor((MANY / 1_000_000) * PAGE * (FAR_PAGE - 1));
      const far = `${path}&cursor=${inboundCursor(MANY, skipped, fits)}`;
      for (const [opened, whole] of [
        [many, path],
        [many, far],
        [few, path],
      ] as const)
        await opened.expectWhole(whole);
      const sides = [many.ask(path), many.ask(far), few.ask(path)];
      await measureInTurns(2, sides);
      const [first = [], last = [], reference = []] = await measureInTurns(ROUNDS, sides);
      const page = Math.floor(skipped / PAGE) + 1;
      for (const [what, measured] of [
        ['page 1', first],
        [`page ${page.toLocaleString('en')}`, last],
      ] as const)
        figures.push({
          name: `${what} of ${MANY.toLocaleString('en')} received faxes on ${name}, ${label}`,
          ratio: ratioOf(measured, reference),
          bar: 1.5,
          atMost: true,
          unit: 'of page 1 of 1,000',
          detail: `${median(measured).toFixed(1)} ms, of 1,000 ${median(reference).toFixed(1)} ms`,
        });
    }
    return [...figures, ...(await unreadOn(name, many, few))];
  } finally {
    await many.close();
    await few.close();
  }
}

type OpenGateway = Awaited<ReturnType<typeof openGateway>>;

/** Measures the unread counts and list of a person who has read nearly everything. */
async function unreadOn(name: string, many: OpenGateway, few: OpenGateway): Promise<Figure[]> {
  for (const opened of [many, few]) await markReadExcept(opened.where, 10);
  const figures: Figure[] = [];
  for (const path of ['/inbound/counts', `/inbound?limit=${PAGE}&unread=true`]) {
    const sides = [many.ask(path), few.ask(path)];
    await measureInTurns(2, sides);
    const [measured = [], reference = []] = await measureInTurns(ROUNDS, sides);
    figures.push({
      name: `${path} of ${MANY.toLocaleString('en')} received faxes on ${name}, all read but ten`,
      ratio: ratioOf(measured, reference),
      bar: 1.5,
      atMost: true,
      unit: 'of 1,000',
      detail: `${median(measured).toFixed(1)} ms, of 1,000 ${median(reference).toFixed(1)} ms`,
    });
  }
  return figures;
}

async function openGateway(databaseUrl: string | null, count: number) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const where = { postgresUrl: databaseUrl, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
  await fillInbound(where, count);
  const environment = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };
  const child = await startChild<GatewayReady>('gateway-process.ts', {
    dataFolder,
    databaseUrl,
    environment,
  });
  const load = new Load(child.ready.url, 1);
  return {
    where,
    /** Milliseconds for one answer. */
    ask: (path: string) => async () =>
      1000 /
      (await load.sendAll(REQUESTS, {
        method: 'GET',
        path,
        headers: { 'X-API-Key': BENCH_KEY },
        expect: 200,
      })),
    /** Throws when an answer is not a whole page. */
    async expectWhole(path: string) {
      const answer = await fetch(`${child.ready.url}${path}`, { headers: { 'X-API-Key': BENCH_KEY } });
      const { length } = (await answer.json()) as unknown[];
      if (length !== PAGE) throw new Error(`${path}: ${length} faxes`);
    },
    async close() {
      load.close();
      await child.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}
