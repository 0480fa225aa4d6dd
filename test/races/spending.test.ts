import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, describe, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../server/db/database.ts';
import { createRandom } from '../fuzz/random.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { HOUR, MINUTE } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';
import { postgresOfTest, startTwo } from '../setup/two-gateways.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

const LIMITS = { SPENDING_CURRENCY: 'USD', SPENDING_DAY: '0.40', SPENDING_MONTH: '0.75' };
const CARDS = [
  ['USD', '0.10', '+1202'],
  ['USD', '0.35', '+1212'],
  ['EUR', '5', '+49'],
] as const;

/** One gateway, or two on one PostgreSQL, with cards and limits in force at each. */
async function start(kind: (typeof STORES)[number]): Promise<{ gateways: TestGateway[]; db: Database }> {
  const cleanup = (end: () => Promise<unknown>) => cleanups.push(end);
  const url = kind === 'postgres' ? await postgresOfTest(cleanup) : null;
  const gateways = url === null ? [await startTestGateway()] : await startTwo(cleanup, url);
  const [one] = gateways as [TestGateway];
  if (kind === 'sqlite') cleanups.push(() => one.close());
  for (const [currency, per_page, prefix] of CARDS)
    await one.request('POST', '/routing/rate-cards', {
      json: { backend: 'cloudone', currency, per_page, prefixes: [prefix] },
    });
  await one.set(LIMITS);
  for (const gateway of gateways)
    await expect.poll(() => spending(gateway)).toMatchObject({ currency: 'USD' });
  const sqliteFile = join(one.dataFolder, 'faxdesk.sqlite');
  const db = openDatabase({ postgresUrl: url, sqliteFile });
  cleanups.push(() => db.close());
  return { gateways, db };
}

async function spending(gateway: TestGateway): Promise<{ day: { under_way: unknown; left: unknown } }> {
  return (await (await gateway.request('GET', '/routing/limits')).json()) as never;
}

/**
 * Compares the totals with their expected values, and for each day the amount counted for faxes that were not released.
 */
async function expectRight(db: Database, label: string): Promise<void> {
  const micro = sql<string>`cast(sum(cast(cast(amount as numeric) * 1000000 as bigint)) as text)`;
  const reserves = await db.read
    .selectFrom('cost_reserve')
    .select(['day', 'currency', micro.as('amount')])
    .groupBy(['day', 'currency'])
    .execute();
  const spent = await db.read
    .selectFrom('cost_sum')
    .select(['day', 'currency', sql<string>`cast(sum(amount) as text)`.as('amount')])
    .groupBy(['day', 'currency'])
    .execute();
  const totals = await db.read
    .selectFrom('cost_total')
    .select([
      'day',
      'currency',
      sql<string>`cast(spent as text)`.as('spent'),
      sql<string>`cast(reserved as text)`.as('reserved'),
    ])
    .where('principal_id', '=', '')
    .execute();
  const found = (rows: readonly { day: string; currency: string; amount: string }[]) =>
    rows.flatMap(({ day, currency, amount }) =>
      BigInt(amount) === 0n ? [] : `${day} ${currency} ${amount}`,
    );
  const counted = (what: 'spent' | 'reserved') => found(totals.map((row) => ({ ...row, amount: row[what] })));
  expect([label, counted('reserved').sort()]).toEqual([label, found(reserves).sort()]);
  expect([label, counted('spent').sort()]).toEqual([label, found(spent).sort()]);
  const [days, month] = await unreleased(db);
  for (const [day, amount] of days) expect(amount, `${label} ${day}`).toBeLessThanOrEqual(40);
  expect(month, label).toBeLessThanOrEqual(75);
}

/** Cents of each day, and of the month, that faxes cost or will cost which nobody let go past a limit. */
async function unreleased(db: Database): Promise<[Map<string, number>, number]> {
  const jobs = await db.read.selectFrom('fax_job').select(['id', 'over_limit']).execute();
  const counts = new Set(jobs.flatMap(({ id, over_limit }) => (over_limit === 0 ? id : [])));
  const reserves = await db.read.selectFrom('cost_reserve').selectAll().execute();
  const costs = await db.read
    .selectFrom('attempt_cost')
    .selectAll()
    .where('charged', 'is not', null)
    .execute();
  const all = [
    ...reserves,
    ...costs.map(({ charged, charged_currency, ...row }) => ({
      ...row,
      amount: charged ?? '',
      currency: charged_currency,
    })),
  ];
  const days = new Map<string, number>();
  for (const { job_id, day, currency, amount } of all)
    if (counts.has(job_id) && currency === 'USD')
      days.set(day, (days.get(day) ?? 0) + Math.round(Number(amount) * 100));
  return [days, [...days.values()].reduce((sum, each) => sum + each, 0)];
}

async function listed(gateway: TestGateway): Promise<Fax[]> {
  return ((await (await gateway.request('GET', '/fax?limit=200')).json()) as { items: Fax[] }).items;
}

describe.for(STORES)(`spending limits on %s${withoutPostgres}`, (kind) => {
  test('rule (routing): a fax over a spending limit is held in the transaction that accepts or begins it, counting faxes under way at all gateways', async () => {
    const { gateways, db } = await start(kind);
    const faxes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (gateways[i % gateways.length] as TestGateway).send({ to: `+12025550${100 + i}` }),
      ),
    );
    expect(faxes.filter(({ held_reason }) => held_reason === null)).toHaveLength(4);
    await Promise.all(gateways.map((gateway) => gateway.processAll()));
    expect(gateways[0]?.emulator.counts.accepted).toBe(4);
    await expectRight(db, 'at the end');
  }, 60_000);

  test.each([1, 2])(
    'whatever happens in any order, what counts is right and no limit is passed (%i)',
    async (seed) => {
      const { gateways, db } = await start(kind);
      const random = createRandom(seed);
      const one = gateways[0] as TestGateway;
      const { clock, emulator } = one;
      let number = 100;
      const prefix = () => random.pick(['+1202555', '+1202555', '+1212555', '+4930555', '+3312345']);
      const at = (): Record<string, string> =>
        random.chance(30) ? { send_at: new Date(clock.now() + 20 * HOUR).toISOString() } : {};
      const post = (fax: Fax | undefined, what: string, body: object = {}) =>
        fax &&
        random.pick(gateways).request('POST', `/fax/${fax.id}/${what}`, {
          json: { delivery_version: fax.delivery_version, ...body },
        });
      const some = async (state: string) => {
        const faxes = (await listed(one)).filter(({ delivery_state }) => delivery_state === state);
        return faxes.length === 0 ? undefined : random.pick(faxes);
      };
      const complete = async (fax: Fax | undefined) => {
        if (!fax) return;
        const cents = fax.to.startsWith('+1212') ? 35 : 10;
        emulator.complete(String(fax.provider_sid), fax.to.startsWith('+1') ? { cost: cents } : { cost: 0 });
      };
      const sendThree = () =>
        Promise.all(
          [1, 2, 3].map(() => random.pick(gateways).send({ to: `${prefix()}0${(number += 1)}`, ...at() })),
        );
      const steps: (() => Promise<unknown>)[] = [
        sendThree,
        sendThree,
        () => Promise.all(gateways.map((gateway) => gateway.processAll())),
        async () => complete(await some('in_progress')),
        async () => post(await some('ready'), 'cancel'),
        async () => post(await some('held'), 'cancel'),
        async () => post(await some('held'), random.chance(40) ? 'release' : 'cancel'),
        async () => post(await some('ready'), 'schedule', { send_at: null }),
        async () => clock.advance(random.pick([MINUTE, 5 * MINUTE, 9 * HOUR])),
      ];
      for (let n = 0; n < 45; n += 1) {
        await random.pick(steps)();
        await expectRight(db, `step ${n}`);
      }
      const held = await db.read
        .selectFrom('fax_history')
        .select('job_id')
        .where('kind', '=', 'held')
        .execute();
      expect(new Set(held.map(({ job_id }) => job_id)).size).toBeGreaterThan(2);
      const states = (await listed(one)).map(({ delivery_state }) => delivery_state);
      expect(states).toContain('success');
    },
    60_000,
  );
});
