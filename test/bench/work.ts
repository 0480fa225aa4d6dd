import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../server/db/database.ts';
import { BENCH_KEY } from './bench-key.ts';
import { onBothStores, type TwoStores } from './both-stores.ts';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import { fillInbound } from './fill-inbound.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const MANY = Number(process.env['BENCH_WORK'] ?? 1_000_000);
const FEW = 10_000;
const PAGE = 100;
const ROUNDS = 7;
const REQUESTS = 12;
const PATHS = [
  `/work?view=mine&limit=${PAGE}`,
  '/work/counts',
  `/work?view=unassigned&limit=${PAGE}`,
  `/work?view=overdue&limit=${PAGE}`,
  `/work?mailbox=mailbox-1&limit=${PAGE}`,
  `/work?limit=${PAGE}`,
];

/** The work queue with a million items against ten thousand. */
export async function run(): Promise<Figure[]> {
  return onBothStores('the work queue', listOn);
}

async function listOn(name: string, databases: TwoStores): Promise<Figure[]> {
  const many = await openGateway(databases[0], MANY);
  const few = await openGateway(databases[1], FEW);
  try {
    const figures: Figure[] = [];
    for (const path of PATHS) {
      for (const opened of [many, few]) await opened.expectWhole(path);
      const sides = [many.ask(path), few.ask(path)];
      await measureInTurns(2, sides);
      const [measured = [], reference = []] = await measureInTurns(ROUNDS, sides);
      figures.push({
        name: `${path} of ${MANY.toLocaleString('en')} work items on ${name}`,
        ratio: ratioOf(measured, reference),
        bar: 1.5,
        atMost: true,
        unit: `of ${FEW.toLocaleString('en')}`,
        detail: `${median(measured).toFixed(1)} ms, of ${FEW.toLocaleString('en')} ${median(reference).toFixed(1)} ms`,
      });
    }
    return figures;
  } finally {
    await many.close();
    await few.close();
  }
}

async function openGateway(databaseUrl: string | null, count: number) {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  await fillWork({ postgresUrl: databaseUrl, sqliteFile: join(dataFolder, 'faxdesk.sqlite') }, count);
  const environment = { INBOUND_ENABLED: 'true', INBOUND_POLLING: 'off' };
  const child = await startChild<GatewayReady>('gateway-process.ts', {
    dataFolder,
    databaseUrl,
    environment,
  });
  const load = new Load(child.ready.url, 1);
  const headers = { 'X-API-Key': BENCH_KEY };
  return {
    /** Milliseconds for one answer. */
    ask: (path: string) => async () =>
      1000 / (await load.sendAll(REQUESTS, { method: 'GET', path, headers, expect: 200 })),
    /** Throws when an answer is not a whole page, or nothing is counted. */
    async expectWhole(path: string) {
      const answer = await fetch(`${child.ready.url}${path}`, { headers });
      const body = (await answer.json()) as { items?: unknown[] };
      const isWhole = body.items
        ? body.items.length === PAGE
        : Object.values(body as object).every((one: number) => one > 0);
      if (!isWhole) throw new Error(`${path}: ${JSON.stringify(body).slice(0, 200)}`);
    },
    async close() {
      load.close();
      await child.stop();
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/** Of a hundred items seventy are done, ten acknowledged, twenty open; two belong to the installation key. */
async function fillWork(
  where: { postgresUrl: string | null; sqliteFile: string },
  count: number,
): Promise<void> {
  await fillInbound(where, count);
  const db = openDatabase(where, { hasNoQueryTimeout: true });
  try {
    const isPostgres = where.postgresUrl !== null;
    const n = isPostgres ? sql`substr(id, 25)::bigint` : sql`cast(substr(id, 25) as integer)`;
    const digits = (value: typeof n) =>
      isPostgres ? sql`lpad((${value})::text, 13, '0')` : sql`printf('%013d', ${value})`;
    const newest = digits(sql`8000000000000 - ${n} * 20000`);
    // Of the open ones every tenth is due a century from now, so that it is not overdue.
    const due = digits(sql`case when ${n} % 10 = 0 then 4900000000000 else 1700000000000 + ${n} * 20000 end`);
    const state = sql`case when ${n} % 100 < 20 then 'waiting' when ${n} % 100 < 30 then 'acknowledged' else 'done' end`;
    const rank = sql`case when ${n} % 100 < 20 then '0' when ${n} % 100 < 30 then '1' else '2' end`;
    const owner = sql`case when ${n} % 50 = 7 then 'bootstrap' when ${n} % 3 = 0 then '' else 'somebody' end`;
    await sql`insert into work_item (id, inbound_fax_id, version, mailbox_id, from_number, to_number, pages, sha256,
      is_test, available_at, updated_at, state_key, owner_id, list_key, history_count, history_digest)
      select id, id, 2, mailbox_id, from_number, to_number, 1, sha256, 0, received_at, received_at,
      ${state}, ${owner}, ${rank} || case when ${n} % 100 < 20 then ${due} else '9999999999999' end || ${newest} || id,
      0, '' from inbound_fax`.execute(db.unrestricted);
    if (isPostgres) await sql`analyze`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}
