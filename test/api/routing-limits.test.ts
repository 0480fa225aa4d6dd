import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startGatewayOn } from '../setup/both-gateways.ts';
import type { FaxOutcome } from '../setup/emulators/cloudone/fax-record.ts';
import { type Fax, type TestGateway, textFile } from '../setup/gateway.ts';
import { DAY, HOUR, MINUTE } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const NO_LIMITS = {
  SPENDING_CURRENCY: null,
  SPENDING_DAY: null,
  SPENDING_MONTH: null,
  SPENDING_PERSON_DAY: null,
  SPENDING_PERSON_MONTH: null,
};
const usd = (amount: string) => ({ amount, currency: 'USD' });
const MAY_RELEASE = 'Ask your office manager to release it.';

let next = 1000;
/** A page to these numbers costs $0.10. */
const dear = () => `+120255${(next += 1)}0`;

describe.for(STORES)(`spending limits on %s${withoutPostgres}`, (kind) => {
  let gateway: TestGateway;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ gateway, close } = await startGatewayOn(kind));
    await request('POST', '/routing/rate-cards', {
      backend: 'cloudone',
      currency: 'USD',
      per_page: '0.10',
      prefixes: ['+1202'],
    });
    await request('POST', '/routing/rate-cards', {
      backend: 'cloudone',
      currency: 'EUR',
      per_page: '5',
      prefixes: ['+49'],
    });
  });
  afterAll(() => close());
  // A month of its own for each test: what another one spent does not count.
  beforeEach(async () => {
    await gateway.set(NO_LIMITS);
    gateway.clock.advance(32 * DAY);
    await gateway.processAll();
  });

  async function request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await gateway.request(method, path, { json });
    return [answer.status, await answer.json()];
  }
  const limit = (values: Partial<Record<keyof typeof NO_LIMITS, string>>) =>
    gateway.set({ ...NO_LIMITS, SPENDING_CURRENCY: 'USD', ...values });
  const month = async (): Promise<Body> => (await request('GET', '/routing/limits'))[1].month;
  const release = (fax: Fax) =>
    request('POST', `/fax/${fax.id}/release`, { delivery_version: fax.delivery_version });
  const send = (fields: Record<string, string> = {}) => gateway.send({ to: dear(), ...fields });

  async function end({ id }: Fax, outcome: FaxOutcome): Promise<Fax> {
    await gateway.processAll();
    gateway.emulator.complete(String((await gateway.fax(id)).provider_sid), outcome);
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    return gateway.fax(id);
  }

  /** A key of an integration of its own, which may only send. */
  async function sender(name: string): Promise<{ key: string; id: string }> {
    const made = await request('POST', '/admin/api-keys', { name, scopes: ['fax:send', 'fax:read'] });
    const key = made[1].token as string;
    const me = await gateway.request('GET', '/auth/me', { key });
    return { key, id: ((await me.json()) as Body).principal.id };
  }
  async function sendAs(key: string): Promise<Fax> {
    const form = new FormData();
    form.append('to', dear());
    form.append('file', textFile());
    const answer = await gateway.request('POST', '/fax', { form, key });
    expect(answer.status).toBe(202);
    return (await answer.json()) as Fax;
  }

  test('rule (crossings): a spending limit holds faxes at acceptance, at their scheduled time and at release', async () => {
    await limit({ SPENDING_MONTH: '0.25' });
    await end(await send(), { cost: 16 });
    expect(await month()).toEqual({
      limit: usd('0.25'),
      spent: [usd('0.16')],
      under_way: [],
      left: usd('0.09'),
      unknown: 0,
    });
    const to = dear();
    const passes = 'it would exceed this month’s limit of $0.25 by $0.01.';
    const [, quoted] = await request('GET', `/routing/quote?to=${encodeURIComponent(to)}&pages=1`);
    expect(quoted.held).toBe(`It will be held: ${passes}`);
    const held = await send({ to });
    const held_reason = `Held: ${passes} ${MAY_RELEASE}`;
    expect(held).toMatchObject({ delivery_state: 'held', dispatch_mode: 'held', held_reason });
    expect(await gateway.history(held.id)).toMatchObject([
      { kind: 'held', text: `Accepted. ${held_reason}` },
    ]);
    await gateway.processAll();
    expect((await gateway.fax(held.id)).attempt).toBeNull();
    expect((await month()).under_way).toEqual([]);

    const [status, released] = await release(held);
    expect([status, released.held_reason]).toEqual([200, null]);
    expect((await month()).under_way).toEqual([usd('0.10')]);
    const done = await end(held, { cost: 10 });
    expect(done).toMatchObject({ delivery_state: 'success', held_reason: null });
    const history = await gateway.history(held.id);
    expect(history[1]).toMatchObject({
      kind: 'released',
      text: 'Released for sending, over the spending limit.',
    });
    expect(await month()).toMatchObject({ spent: [usd('0.26')], under_way: [], left: usd('0.00') });
  });

  test('neither a higher limit nor a new month sends what is held', async () => {
    await limit({ SPENDING_DAY: '0.05' });
    const held = await send();
    expect(held.held_reason).toContain('today’s limit of $0.05 by $0.05');
    await limit({ SPENDING_DAY: '100' });
    gateway.clock.advance(32 * DAY);
    await gateway.processAll();
    expect((await gateway.fax(held.id)).delivery_state).toBe('held');
  });

  test('faxes that are accepted at once cannot pass a limit together', async () => {
    await limit({ SPENDING_MONTH: '0.55' });
    const faxes = await Promise.all(Array.from({ length: 10 }, () => send()));
    expect(faxes.filter(({ delivery_state }) => delivery_state === 'held')).toHaveLength(5);
    expect(await month()).toMatchObject({ under_way: [usd('0.50')], left: usd('0.05') });
    const going = faxes.filter(({ delivery_state }) => delivery_state !== 'held');
    for (const fax of going) await end(fax, { cost: 10 });
    expect(await month()).toMatchObject({ spent: [usd('0.50')], under_way: [] });
  });

  test('what is canceled, or was not taken, counts no more', async () => {
    await limit({ SPENDING_MONTH: '0.10' });
    const first = await send({ send_at: new Date(gateway.clock.now() + HOUR).toISOString() });
    expect((await send()).delivery_state).toBe('held');
    await request('POST', `/fax/${first.id}/cancel`, { delivery_version: first.delivery_version });
    gateway.emulator.setFault({ kind: 'refused', status: 422, method: 'POST' });
    const second = await send();
    await gateway.processAll();
    expect((await gateway.fax(second.id)).delivery_state).toBe('failed');
    expect(await month()).toMatchObject({ spent: [], under_way: [] });
    expect((await send()).delivery_state).not.toBe('held');
  });

  test('a scheduled fax counts on the day on which it is sent, and is checked again then', async () => {
    await limit({ SPENDING_DAY: '0.10' });
    const tomorrow = new Date(gateway.clock.now() + DAY).toISOString();
    const later = await send({ send_at: tomorrow });
    expect(later.held_reason).toBeNull();
    expect((await send({ send_at: tomorrow })).held_reason).toContain('that day’s limit of $0.10');
    // A quote is about the day on which the fax will leave.
    const quoted = async (query = '') =>
      (await request('GET', `/routing/quote?to=%2B12025550123&pages=1${query}`))[1].held;
    expect(await quoted(`&send_at=${tomorrow}`)).toMatch(
      /^It will be held: it would exceed that day’s limit/u,
    );
    const day = new Date(tomorrow).toLocaleDateString('en-US', {
      weekday: 'long',
      month: 'long',
      day: 'numeric',
    });
    expect(await quoted(`&send_at=${tomorrow}`)).toContain(` on ${day}, by $`);
    expect(await quoted()).toBeNull();
    expect((await send()).delivery_state).not.toBe('held');
    // Sent today all the same, where another one has what the day has.
    const [, moved] = await request('POST', `/fax/${later.id}/schedule`, {
      delivery_version: later.delivery_version,
      send_at: null,
    });
    expect(moved.delivery_state).toBe('ready');
    await gateway.processAll();
    const held = await gateway.fax(later.id);
    expect(held.delivery_state).toBe('held');
    expect(held.held_reason).toContain('today’s limit of $0.10 by $0.10');
    expect((await gateway.history(later.id)).at(-1)).toMatchObject({ kind: 'held', text: held.held_reason });
    await release(held);
    await gateway.processAll();
    expect((await gateway.fax(later.id)).delivery_state).toBe('in_progress');
  });

  test('a limit that is set while a fax waits holds it before it begins', async () => {
    const waiting = await send({ send_at: new Date(gateway.clock.now() + HOUR).toISOString() });
    await limit({ SPENDING_MONTH: '0.09' });
    gateway.clock.advance(HOUR);
    await gateway.processAll();
    expect(await gateway.fax(waiting.id)).toMatchObject({ delivery_state: 'held', attempt: null });
  });

  test('what costs an unknown amount or another currency is not held, and said', async () => {
    await limit({ SPENDING_MONTH: '0' });
    const unknown = await send({ to: '+33123456789' });
    const euro = await send({ to: '+4930123456' });
    expect([unknown.held_reason, euro.held_reason]).toEqual([null, null]);
    await end(unknown, { cost: 0 });
    expect(await month()).toMatchObject({
      under_way: [{ amount: '5.00', currency: 'EUR' }],
      left: usd('0.00'),
      unknown: 1,
    });
    expect((await send()).held_reason).toContain('limit of $0.00 by $0.10');
  });

  test('a person has the limit of everybody or their own, and lets no fax go that it holds', async () => {
    await limit({ SPENDING_PERSON_MONTH: '0.15' });
    const { key, id } = await sender('Lab system');
    const free = await sendAs(key);
    const held = await sendAs(key);
    expect(free.held_reason).toBeNull();
    expect(held.held_reason).toBe(
      `Held: it would exceed this month’s limit of $0.15 for ${held.created_by.name} by $0.05. ${MAY_RELEASE}`,
    );
    const json = { delivery_version: held.delivery_version };
    const refused = await gateway.request('POST', `/fax/${held.id}/release`, { json, key });
    expect([refused.status, refused.headers.get('x-error-code')]).toEqual([403, 'over_spending_limit']);

    const put = (body: object) => request('PUT', `/routing/limits/people/${id}`, body);
    const [status, own] = await put({ version: 0, per_day: null, per_month: '0.30' });
    expect([status, own.version, own.own]).toEqual([200, 1, { per_day: null, per_month: usd('0.30') }]);
    expect(own.month).toMatchObject({ limit: usd('0.30'), under_way: [usd('0.10')], left: usd('0.20') });
    expect((await put({ version: 0, per_day: null, per_month: '9' }))[0]).toBe(409);
    expect((await put({ version: 1, per_day: '-1', per_month: null }))[0]).toBe(400);
    expect((await sendAs(key)).held_reason).toBeNull();
    expect((await sendAs(key)).held_reason).toBeNull();
    expect((await sendAs(key)).held_reason).toContain('$0.30 for');
    // Another one is not concerned.
    expect((await send()).held_reason).toBeNull();
    const [, { items }] = await request('GET', '/routing/limits/people');
    expect(items.map(({ principal }: Body) => principal.id)).toEqual([id]);
    expect((await release(held))[0]).toBe(200);
    await put({ version: 1, per_day: null, per_month: null });
    expect((await request('GET', '/routing/limits/people'))[1].items).toEqual([]);
    expect((await request('GET', `/routing/limits/people/${id}`))[1].month.limit).toEqual(usd('0.15'));
  });

  test('without a currency nothing is in force, and it is said', async () => {
    await gateway.set({ ...NO_LIMITS, SPENDING_DAY: '0.01' });
    expect((await send()).held_reason).toBeNull();
    expect((await request('GET', '/routing/limits'))[1]).toMatchObject({
      currency: null,
      day: { limit: null },
    });
    const { id } = await sender('Shop');
    const body = { version: 0, per_day: '1', per_month: null };
    const [status, { detail }] = await request('PUT', `/routing/limits/people/${id}`, body);
    expect([status, detail]).toEqual([409, 'Choose the currency of spending limits in the settings first.']);
    expect((await request('GET', '/routing/limits/people/nobody'))[0]).toBe(404);
  });
});
