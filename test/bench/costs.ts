import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { BENCH_KEY } from './bench-key.ts';
import { onBothStores } from './both-stores.ts';
import { startChild } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';

const MANY = Number(process.env['BENCH_COSTS'] ?? 1_000_000);
const ROUNDS = 7;
const GROUPS = { day: 'day', person: 'created_by', country: 'country' } as const;
const SPAN = 'from=2026-10-01&to=2026-10-31';

interface CostStore {
  readonly postgresUrl: string | null;
  readonly sqliteFile: string;
}

/** Compares reading the cost of a month with a million attempts with adding up the attempts. */
export async function run(): Promise<Figure[]> {
  return onBothStores('costs', async (name, [database]) => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
    const where = { postgresUrl: database, sqliteFile: join(dataFolder, 'faxdesk.sqlite') };
    await fillCosts(where);
    const environment = { INBOUND_ENABLED: 'false' };
    const start = { dataFolder, databaseUrl: database, environment };
    const child = await startChild<GatewayReady>('gateway-process.ts', start);
    const db = openDatabase(where, { hasNoQueryTimeout: true });
    try {
      const figures: Figure[] = [];
      for (const [group, column] of Object.entries(GROUPS)) {
        const path = `/routing/costs?${SPAN}&group_by=${group}`;
        const sides = [
          measureMs(() => requestCosts(`${child.ready.url}${path}`)),
          measureMs(async () => {
            const key = sql.ref(column);
            await sql`select ${key}, charged_currency, sum(cast(replace(charged, '.', '') as bigint)), count(*)
              from attempt_cost where day >= '2026-10-01' and day <= '2026-10-31'
              group by ${key}, charged_currency`.execute(db.unrestricted);
          }),
        ];
        await measureInTurns(2, sides);
        const [measured = [], reference = []] = await measureInTurns(ROUNDS, sides);
        figures.push({
          name: `${path} of ${MANY.toLocaleString('en')} attempts on ${name}`,
          ratio: ratioOf(measured, reference),
          bar: 0.5,
          atMost: true,
          unit: 'of adding up the attempts',
          detail: `${median(measured).toFixed(1)} ms, of the attempts ${median(reference).toFixed(1)} ms`,
        });
      }
      return figures;
    } finally {
      await db.close();
      await child.stop();
      await rm(dataFolder, { recursive: true, force: true });
    }
  });
}

const measureMs = (work: () => Promise<void>) => async () => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

async function requestCosts(url: string): Promise<void> {
  const answer = await fetch(url, { headers: { 'X-API-Key': BENCH_KEY, Connection: 'close' } });
  const { all } = (await answer.json()) as { all: { known: number; unknown: number } };
  if (all.known + all.unknown !== MANY) throw new Error(`counted ${all.known} and ${all.unknown}`);
}

/** Two hundred people, each with two mailboxes, to ten countries; every twentieth attempt is of unknown cost. */
async function fillCosts(where: CostStore): Promise<void> {
  const db = openDatabase(where, { hasNoQueryTimeout: true });
  const isPostgres = where.postgresUrl !== null;
  const text = (value: string) =>
    isPostgres ? sql.raw(`(${value})::text`) : sql.raw(`cast(${value} as text)`);
  const day = isPostgres
    ? sql`'2026-10-' || lpad((i % 31 + 1)::text, 2, '0')`
    : sql`'2026-10-' || printf('%02d', i % 31 + 1)`;
  const country = sql`substr('USCADEFRGBITESNOSEJP', cast(i / 7 % 10 as integer) * 2 + 1, 2)`;
  try {
    await migrate(db.unrestricted as never);
    await sql`insert into attempt_cost (attempt_id, job_id, begun_at, day, backend, mailbox_id, created_by, country,
      to_number, pages, seconds, charged, charged_currency, certainty, state, plan_pages, revision)
      with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(MANY - 1)})
      select ${text('i')}, ${text('i')}, '', ${day}, 'cloudone', 'mailbox-' || ${text('i / 3 % 200 % 20 + i % 2')},
      'person-' || ${text('i / 3 % 200')}, ${country}, '+1202' || ${text('i % 5000')}, 1, 45,
      case when i % 20 > 0 then '0.070000' end, case when i % 20 > 0 then 'USD' end, 'reported', 'settled', 0, 1
      from n`.execute(db.unrestricted);
    await sql`insert into cost_sum (day, backend, mailbox_id, created_by, country, currency, amount, attempts)
      select day, backend, mailbox_id, created_by, country, coalesce(charged_currency, ''),
      sum(case when charged is null then 0 else 70000 end), count(*)
      from attempt_cost group by 1, 2, 3, 4, 5, 6`.execute(db.unrestricted);
    if (isPostgres) await sql`analyze`.execute(db.unrestricted);
  } finally {
    await db.close();
  }
}
