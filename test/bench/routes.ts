import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { migrate } from '../../server/db/migrator.ts';
import { chooseRoutes } from '../../server/features/routing/choose-route.ts';
import { toCachedRoute } from '../../server/features/routing/route-cache.ts';
import { createRouteChoice } from '../../server/features/routing/route-choice.ts';
import { insertRoute } from '../../server/features/routing/store/route-store.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { countryOf } from '../../server/platform/phone-number.ts';
import { createSeal } from '../../server/platform/seal.ts';
import { onBothStores } from './both-stores.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';

const ROUTES = 1_000;
const NUMBERS = 100_000;
/** Number of attempts in the last half hour by these routes, which decide the routes that are tried last. */
const ATTEMPTS = Number(process.env['BENCH_ATTEMPTS'] ?? 1_000_000);
/** So many numbers of one round; the reference reads every route for each, and has fewer. */
const NUMBERS_A_ROUND = 500;
const REFERENCE_NUMBERS = 25;
const ROUNDS = 9;

/** Compares the selection of routes among many with a scan of all of them. */
export async function run(): Promise<Figure[]> {
  return onBothStores('routes', async (name, [postgresUrl]) => {
    const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
    const db = openDatabase(
      { postgresUrl, sqliteFile: join(folder, 'faxdesk.sqlite') },
      { hasNoQueryTimeout: true },
    );
    try {
      await migrate(db.unrestricted as never);
      await fillRoutes(db);
      const numbers = Array.from(
        { length: NUMBERS },
        (_, i) => `+${1_000_000_000 + ((i * 7_919_317) % 8_999_999_999)}`,
      );
      await fillAttempts(db, numbers, postgresUrl !== null);
      const sides = sidesOf(db, numbers);
      await measureInTurns(2, sides);
      const [chosen = [], looked = [], there = []] = await measureInTurns(ROUNDS, sides);
      return [
        {
          name: `the routes of a fax, of ${ROUTES.toLocaleString('en')} routes after ${ATTEMPTS.toLocaleString('en')} attempts on ${name}`,
          ratio: ratioOf(chosen, looked),
          bar: 0.5,
          atMost: true,
          unit: 'of looking through all routes',
          detail: [
            `${median(chosen).toFixed(3)} ms a fax`,
            `${median(looked).toFixed(3)} ms by looking through all`,
            `${median(there).toFixed(3)} ms to the database and back`,
          ].join(', '),
        },
      ];
    } finally {
      await db.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** Milliseconds for one number, by the gateway and by the reference, which have to agree. */
function sidesOf(db: Database, numbers: readonly string[]) {
  const account = { backend: 'cloudone', accountId: 'cloudone:0' };
  const provider = { account: () => account } as never;
  const choice = createRouteChoice({
    db,
    clock: systemClock,
    seal: createSeal(randomBytes(32)),
    routing: { provider: () => provider },
  });
  let at = 0;
  const some = (count: number) => Array.from({ length: count }, () => numbers[(at += 101) % NUMBERS] ?? '');
  const looked = new Map<string, string | undefined>();
  return [
    () =>
      perNumber(some(NUMBERS_A_ROUND), async (to) => {
        const found = await choice.routesOf({ to, preferred: null });
        const first = 'routes' in found ? found.routes[0]?.id : undefined;
        if (looked.has(to) && looked.get(to) !== first) throw new Error(`${to} has another route`);
      }),
    () =>
      perNumber(some(REFERENCE_NUMBERS), async (to) => {
        const rows = await db.read.selectFrom('delivery_route').selectAll().execute();
        looked.set(to, chooseRoutes(rows.map(toCachedRoute), { to, preferred: null })[0]?.route.id);
      }),
    () => perNumber(some(NUMBERS_A_ROUND), async () => void (await sql`select 1`.execute(db.unrestricted))),
  ];
}

async function perNumber(numbers: readonly string[], work: (to: string) => Promise<void>): Promise<number> {
  const start = performance.now();
  for (const to of numbers) await work(to);
  return (performance.now() - start) / numbers.length;
}

/** One for all numbers, and others of one to three prefixes of two to six digits. */
async function fillRoutes(db: Database): Promise<void> {
  await db.transaction(async (tx) => {
    for (let i = 0; i < ROUTES; i += 1) {
      const prefixes = Array.from({ length: i === 0 ? 0 : 1 + (i % 3) }, (_, k) =>
        `+${String(1_000_000 + (((i * 3 + k) * 7_919) % 8_999_999))}`.slice(0, 3 + ((i + k) % 5)),
      );
      const id = newId();
      const at = '2026-11-23T09:00:00.000Z';
      await insertRoute(tx, {
        id,
        name: `Route ${i}`,
        backend: 'cloudone',
        prefixes: JSON.stringify([...new Set(prefixes)]),
        priority: 1 + (i % 9),
        enabled: 1,
        lines: null,
        own_number: null,
        header_name: null,
        next_allowed: 1,
        account: null,
        version: 1,
        created_at: at,
        updated_at: at,
        removed_at: null,
      });
    }
  });
}

/**
 * Stores attempts to every country of the numbers, half of them by one route. No route failed often enough to be moved
 * to the end.
 */
async function fillAttempts(db: Database, numbers: readonly string[], isPostgres: boolean): Promise<void> {
  const countries = [...new Set(numbers.slice(0, 5_000).map((to) => countryOf(to) ?? ''))];
  const text = (value: string) =>
    isPostgres ? sql.raw(`(${value})::text`) : sql.raw(`cast(${value} as text)`);
  const since = Date.now() - 30 * 60_000;
  const endings = Array.from({ length: 1_800 }, (_, second) =>
    new Date(since + second * 1_000).toISOString(),
  );
  await sql`insert into attempt_cost (attempt_id, job_id, begun_at, ended_at, day, backend, route_id, mailbox_id, created_by,
    country, to_number, pages, seconds, certainty, state, plan_pages, revision, outcome)
    with recursive n(i) as (select 0 union all select i + 1 from n where i < ${sql.lit(ATTEMPTS - 1)}),
    route as (select id, row_number() over (order by id) - 1 as k from delivery_route),
    country as (select value, row_number() over (order by value) - 1 as k from ${listed(countries, isPostgres)}),
    ending as (select value, row_number() over (order by value) - 1 as k from ${listed(endings, isPostgres)})
    select ${text('i')}, ${text('i')}, '', ending.value, '2026-11-23', 'cloudone', route.id, 'mailbox', 'person',
    country.value, '+12025550123', 1, 45, 'reported', 'settled', 0, 1, case when i % 7 = 0 then 'failed' else 'success' end
    from n join route on route.k = case when i % 2 = 0 then 0 else i / 2 % ${sql.lit(ROUTES)} end
    join country on country.k = i / 3 % ${sql.lit(countries.length)} join ending on ending.k = i % 1800`.execute(
    db.unrestricted,
  );
  await sql`analyze`.execute(db.unrestricted);
}

const listed = (values: readonly string[], isPostgres: boolean) =>
  isPostgres
    ? sql`jsonb_array_elements_text(${JSON.stringify(values)}::jsonb) as listed(value)`
    : sql`json_each(${JSON.stringify(values)})`;
