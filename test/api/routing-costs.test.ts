import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayOn } from '../setup/both-gateways.ts';
import type { FaxOutcome } from '../setup/emulators/cloudone/fax-record.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let next = 0;
/** A number of the country that no other test uses. */
const numberOf = (prefix: string) => `${prefix}${(next += 1)}`;
const INDIA = '+9111234567';
const usd = (amount: string) => ({ amount, currency: 'USD' });

describe.for(STORES)(`what faxes cost on %s${withoutPostgres}`, (kind) => {
  let gateway: TestGateway;
  let close: () => Promise<void>;
  beforeAll(async () => {
    next = 100;
    ({ gateway, close } = await startGatewayOn(kind));
  });
  afterAll(() => close());

  async function request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await gateway.request(method, path, { json });
    const text = await answer.text();
    return [answer.status, text.startsWith('{') ? JSON.parse(text) : text];
  }
  const quote = async (to: string, query = 'pages=1') =>
    (await request('GET', `/routing/quote?to=${encodeURIComponent(to)}&${query}`))[1];

  async function card(prefix: string, prices: object): Promise<Body> {
    const body = { backend: 'cloudone', currency: 'USD', prefixes: [prefix], ...prices };
    const [status, made] = await request('POST', '/routing/rate-cards', body);
    expect(status, JSON.stringify(made)).toBe(201);
    return made;
  }

  /** A fax of one page to the number, on its way. */
  async function begin(to: string): Promise<Fax> {
    const { id } = await gateway.send({ to });
    await gateway.processAll();
    return gateway.fax(id);
  }

  async function end({ id, provider_sid }: Fax, outcome: FaxOutcome): Promise<Fax> {
    gateway.emulator.complete(String(provider_sid), outcome);
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    return gateway.fax(id);
  }

  const costsBy = async (group: string, from?: string) =>
    (await request('GET', `/routing/costs?group_by=${group}${from ? `&from=${from}` : ''}`))[1];
  const rowOf = async (group: string, key: string | null) =>
    (await costsBy(group)).rows.find((row: Body) => row.key === key);

  test('a quote says when nobody has entered what anything costs', async () => {
    expect(await quote('+353123456799')).toMatchObject({ has_rate_cards: false, ways: [{ amount: null }] });
    const { id } = await card('+99', { per_page: '1' });
    expect(await quote('+353123456799')).toMatchObject({ has_rate_cards: true, ways: [{ amount: null }] });
    await request('POST', `/routing/rate-cards/${id}/remove`, { version: 1 });
  });

  test('a quote is the estimated amount of the fax that is sent then, and what the provider reports is charged', async () => {
    const { id } = await card('+35312', { per_page: '0.045', per_minute: '0.0301', increment_seconds: 6 });
    const to = numberOf('+353123456');
    const { ways, refusal, country, seconds_from } = await quote(to);
    expect([refusal, country, seconds_from]).toEqual([null, 'IE', 'pages']);
    expect(ways).toMatchObject([
      { backend: 'cloudone', name: 'Phaxio', free: false, rate_card: { id, version: 1, prefix: '+35312' } },
    ]);
    const seconds = Math.ceil(ways[0].seconds / 6) * 6;
    expect(ways[0].amount).toEqual(usd(String((450 * 6000 + 301 * seconds * 100) / 60 / 1e6).slice(0, 8)));
    const going = await begin(to);
    const estimated = ways[0].amount;
    const rate_card = { id, version: 1 };
    const before = { state: 'estimated', estimated, charged: null, certainty: null, rate_card };
    expect([going.cost, going.attempt?.cost]).toEqual([null, before]);
    const done = await end(going, { cost: 11 });
    expect(done.cost).toEqual(usd('0.11'));
    expect(done.attempt?.cost).toEqual({
      ...before,
      state: 'settled',
      charged: usd('0.11'),
      certainty: 'reported',
    });
    expect(await rowOf('country', 'IE')).toEqual({
      key: 'IE',
      name: 'Ireland',
      amounts: [usd('0.11')],
      known: 1,
      unknown: 0,
    });
  });

  test('seconds that are given are quoted, and a number that is none is refused', async () => {
    await card('+4420', { per_minute: '0.02', increment_seconds: 60, minimum_seconds: 120, per_fax: '0.01' });
    const to = '+442079460958';
    const amount = async (seconds: number) =>
      (await quote(to, `pages=3&seconds=${seconds}`)).ways[0].amount.amount;
    expect([await amount(1), await amount(120), await amount(121)]).toEqual(['0.05', '0.05', '0.07']);
    expect((await request('GET', '/routing/quote?to=12&pages=1'))[0]).toBe(400);
    expect((await request('GET', '/routing/quote?to=%2B442079460958&pages=0'))[0]).toBe(400);
  });

  test('new prices leave an old fax the price that it had', async () => {
    const made = await card('+34', { per_page: '0.10' });
    const going = await begin(numberOf('+34912345'));
    const [status] = await request('POST', `/routing/rate-cards/${made.id}/versions`, {
      version: 1,
      currency: 'EUR',
      per_page: '9',
      prefixes: ['+34'],
    });
    expect(status).toBe(201);
    const done = await end(going, { cost: 0 });
    expect(done.attempt?.cost).toMatchObject({
      state: 'charged',
      estimated: usd('0.10'),
      charged: usd('0.10'),
      certainty: 'calculated',
      rate_card: { id: made.id, version: 1 },
    });
    expect((await quote(numberOf('+34912345'))).ways[0].amount).toEqual({ amount: '9.00', currency: 'EUR' });
  });

  test('a provider that reports late is queried again, and the sums follow', async () => {
    await card('+36', { per_page: '0.10' });
    const to = numberOf('+3612345');
    const done = await end(await begin(to), { cost: 0 });
    expect((await rowOf('country', 'HU')).amounts).toEqual([usd('0.10')]);
    const sid = String(done.provider_sid);
    gateway.emulator.complete(sid, { cost: 23 });
    gateway.clock.advance(10 * MINUTE);
    await gateway.processAll();
    const late = await gateway.fax(done.id);
    expect(late.attempt?.cost).toMatchObject({
      state: 'settled',
      charged: usd('0.23'),
      certainty: 'reported',
    });
    expect(await rowOf('country', 'HU')).toMatchObject({ amounts: [usd('0.23')], known: 1, unknown: 0 });
    expect(late.delivery_version).toBe(done.delivery_version);
  });

  test('a cost that is not reported for a week stays unknown: it is counted, and never a 0', async () => {
    const done = await end(await begin(numberOf('+48123456')), { cost: 0 });
    expect(done.attempt?.cost).toMatchObject({ state: 'charged', estimated: null, charged: null });
    expect((await quote('+48123456789')).ways[0]).toMatchObject({
      amount: null,
      rate_card: null,
      reason: 'No rate card of Phaxio covers this number, so the cost is unknown.',
    });
    const unknown = { key: 'PL', name: 'Poland', amounts: [], known: 0, unknown: 1 };
    expect(await rowOf('country', 'PL')).toEqual(unknown);
    for (let day = 0; day < 8; day += 1) {
      gateway.clock.advance(DAY + HOUR);
      await gateway.processAll();
    }
    expect((await gateway.fax(done.id)).attempt?.cost).toMatchObject({ state: 'settled', charged: null });
    expect((await costsBy('country', '2026-01-01')).rows).toContainEqual(unknown);
  });

  test('a fax that the provider did not take costs nothing and counts nowhere', async () => {
    gateway.emulator.setFault({ kind: 'refused', status: 422, method: 'POST' });
    const { id } = await gateway.send({ to: numberOf('+35840123') });
    await gateway.processAll();
    expect(await gateway.fax(id)).toMatchObject({
      delivery_state: 'failed',
      cost: null,
      attempt: { cost: null },
    });
    expect(await rowOf('country', 'FI')).toBeUndefined();
  });

  test('a fax that failed has no confirmed page and no cost that the provider did not report', async () => {
    await card('+372', { per_page: '0.10' });
    const failure = { status: 'failure', errorType: 'faxError', errorId: 8, pages: 1 } as const;
    const silent = await end(await begin(numberOf('+3725123')), { ...failure, cost: 0 });
    expect(silent).toMatchObject({
      delivery_state: 'failed',
      pages: 1,
      cost: null,
      free: false,
      attempt: { pages_sent: null, cost: { charged: null, certainty: null } },
    });
    expect(await rowOf('country', 'EE')).toMatchObject({ amounts: [], known: 0, unknown: 1 });
    const billed = await end(await begin(numberOf('+3725124')), { ...failure, cost: 7 });
    expect(billed).toMatchObject({ cost: usd('0.07'), free: false, attempt: { pages_sent: null } });
  });

  test('a fax that is canceled, delivered here or not taken is free, and one that nobody billed yet is not', async () => {
    await card('+386', { per_page: '0.10' });
    const waiting = await gateway.send({
      to: numberOf('+3861234'),
      send_at: new Date(gateway.clock.now() + HOUR).toISOString(),
    });
    expect(waiting.free).toBe(false);
    const { delivery_version } = waiting;
    const [, canceled] = await request('POST', `/fax/${waiting.id}/cancel`, { delivery_version });
    expect(canceled).toMatchObject({ delivery_state: 'cancelled', cost: null, free: true });
    gateway.emulator.setFault({ kind: 'refused', status: 422, method: 'POST' });
    expect(await begin(numberOf('+3861235'))).toMatchObject({ delivery_state: 'failed', free: true });
    expect(await begin(numberOf('+3861236'))).toMatchObject({ delivery_state: 'in_progress', free: false });
  });

  test('currencies are never added', async () => {
    await card('+81', { currency: 'JPY', per_page: '12' });
    const done = await end(await begin(numberOf('+81312345')), { cost: 0 });
    expect(done.cost).toEqual({ amount: '12', currency: 'JPY' });
    const { all, rows } = await costsBy('route', '2026-01-01');
    expect(all.amounts.map(({ currency }: Body) => currency)).toEqual(['JPY', 'USD']);
    expect(rows).toEqual([{ key: 'cloudone', name: 'Phaxio', ...all }]);
    for (const group of ['day', 'mailbox', 'person', 'country'])
      expect((await costsBy(group, '2026-01-01')).all, group).toEqual(all);
    const [, csv] = await request('GET', '/routing/costs/export?group_by=country&from=2026-01-01');
    expect(csv).toContain('country,JP,Japan,JPY,12,1\r\n');
    expect(csv).toContain('country,PL,Poland,,,1\r\n');
    const [, { numbers }] = await request('GET', '/routing/costs/numbers');
    expect(numbers[0]).toEqual({
      number: done.to,
      contact: null,
      amount: '12',
      currency: 'JPY',
      attempts: 1,
    });
    const named = { name: 'Kyoto Clinic', fax_number: done.to };
    const [, { id }] = await request('POST', '/contacts', named);
    const [, { numbers: known }] = await request('GET', '/routing/costs/numbers');
    expect(known[0]).toMatchObject({ number: done.to, contact: { id, name: 'Kyoto Clinic' } });
  });

  test('the monthly fee pays for its pages first', async () => {
    const { id } = await card('+91', { per_page: '0.20', monthly_fee: '10', included_pages: 2 });
    const plan = async () => {
      const [, { plans, fees }] = await request('GET', '/routing/plans');
      expect(fees).toEqual([usd('10.00')]);
      expect(plans).toHaveLength(1);
      return plans[0];
    };
    expect(await plan()).toEqual({
      rate_card: { id, version: 1 },
      backend: 'cloudone',
      name: 'Phaxio',
      route: null,
      prefixes: ['+91'],
      monthly_fee: usd('10.00'),
      included_pages: 2,
      used_pages: 0,
      left_pages: 2,
    });
    const amounts = [];
    for (let n = 0; n < 3; n += 1) {
      const done = await end(await begin(`${INDIA}${n}`), { cost: 0 });
      amounts.push([done.attempt?.cost?.estimated?.amount, done.cost?.amount]);
    }
    expect(amounts).toEqual([
      ['0.00', '0.00'],
      ['0.00', '0.00'],
      ['0.20', '0.20'],
    ]);
    expect((await quote(`${INDIA}9`, 'pages=5')).ways[0].amount).toEqual(usd('1.00'));
    expect(await plan()).toMatchObject({ used_pages: 2, left_pages: 0 });
    // Later prices count from their day on, and the pages that were used stay used.
    const valid_from = new Date(gateway.clock.now() + HOUR).toISOString();
    const more = { currency: 'USD', monthly_fee: '10', included_pages: 100, prefixes: ['+91'], valid_from };
    expect((await request('POST', `/routing/rate-cards/${id}/versions`, { version: 1, ...more }))[0]).toBe(
      201,
    );
    expect(await plan()).toMatchObject({ rate_card: { version: 1 }, left_pages: 0 });
    gateway.clock.advance(HOUR);
    expect(await plan()).toMatchObject({ rate_card: { version: 2 }, used_pages: 2, left_pages: 98 });
    await request('POST', `/routing/rate-cards/${id}/remove`, { version: 2 });
    expect((await request('GET', '/routing/plans'))[1]).toMatchObject({ plans: [], fees: [] });
  });

  test.each(['from=2026-02-01&to=2026-01-01', 'from=2020-01-01&to=2026-01-01'])(
    'a span %s is refused',
    async (span) => {
      const [status, { detail }] = await request('GET', `/routing/costs?${span}`);
      expect([status, detail]).toEqual([400, expect.stringContaining('366 days')]);
    },
  );
});
