import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGatewayOn } from '../setup/both-gateways.ts';
import { type CloudoneEmulator, startCloudoneEmulator } from '../setup/emulators/cloudone/index.ts';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { STORES, withoutPostgres } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const SECOND = { apiKey: 'second-key', apiSecret: 'second-secret', callbackToken: 'second-token' };

describe.for(STORES)(`delivery routes on %s${withoutPostgres}`, (kind) => {
  let gateway: TestGateway;
  let second: CloudoneEmulator;
  let close: () => Promise<void>;
  beforeAll(async () => {
    ({ gateway, close } = await startGatewayOn(kind));
    second = await startCloudoneEmulator({ ...SECOND, clock: gateway.clock });
  });
  afterAll(async () => {
    await close();
    await second.close();
  });

  async function request(method: string, path: string, json?: unknown): Promise<[number, Body]> {
    const answer = await gateway.request(method, path, { json });
    return [answer.status, await answer.json()];
  }

  async function create(fields: object): Promise<Body> {
    const [status, route] = await request('POST', '/routing/routes', { backend: 'cloudone', ...fields });
    expect(status, JSON.stringify(route)).toBe(201);
    return route;
  }

  async function change(id: string, fields: object): Promise<Body> {
    const [, { version }] = await request('GET', `/routing/routes/${id}`);
    const [status, route] = await request('PATCH', `/routing/routes/${id}`, { version, ...fields });
    expect(status, JSON.stringify(route)).toBe(200);
    return route;
  }

  const secondAccount = () => ({
    CLOUDONE_API_KEY: SECOND.apiKey,
    CLOUDONE_API_SECRET: SECOND.apiSecret,
    CLOUDONE_CALLBACK_TOKEN: SECOND.callbackToken,
    CLOUDONE_API_URL: second.url,
  });

  async function sent(to: string): Promise<Fax> {
    const { id } = await gateway.send({ to });
    await gateway.processAll();
    return gateway.fax(id);
  }

  test('are kept, changed under their version, listed and removed', async () => {
    const made = await create({
      name: 'Norway',
      prefixes: ['+47', '+47', '+4721'],
      own_number: '+4721000000',
    });
    expect(made).toMatchObject({
      name: 'Norway',
      backend: 'cloudone',
      prefixes: ['+47', '+4721'],
      priority: 100,
      enabled: true,
      lines: null,
      own_number: '+4721000000',
      header_name: null,
      next_allowed: true,
      has_account: false,
      problem: null,
      version: 1,
      removed_at: null,
    });
    const path = `/routing/routes/${made.id}`;
    const [status, changed] = await request('PATCH', path, { version: 1, priority: 7, header_name: 'Oslo' });
    expect([status, changed]).toEqual([
      200,
      { ...made, priority: 7, header_name: 'Oslo', version: 2, updated_at: changed.updated_at },
    ]);
    expect((await request('PATCH', path, { version: 1, priority: 8 }))[0]).toBe(409);
    const [, { items }] = await request('GET', '/routing/routes');
    expect(items).toContainEqual(changed);
    expect((await request('POST', `${path}/remove`, { version: 1 }))[0]).toBe(409);
    const [, removed] = await request('POST', `${path}/remove`, { version: 2 });
    expect(removed).toMatchObject({ id: made.id, removed_at: expect.any(String) });
    expect((await request('GET', '/routing/routes'))[1].items).not.toContainEqual(
      expect.objectContaining({ id: made.id }),
    );
    expect((await request('PATCH', path, { version: 3, priority: 8 }))[0]).toBe(409);
    const [, trail] = await request(
      'GET',
      '/access/audit?operation=delivery_route.remove&outcome=done&limit=1',
    );
    expect(trail.items[0]).toMatchObject({
      target: { kind: 'delivery_route', id: made.id },
      details: { name: 'Norway', backend: 'cloudone', version: 3 },
    });
  });

  test.each([
    [{ backend: 'carrier-pigeon' }, 'There is no provider of that name.'],
    [{ prefixes: ['49'] }, 'must begin with +'],
    [{ priority: 0 }, 'priority'],
    [{ lines: 0 }, 'lines'],
    [{ name: ' ' }, 'name'],
    [{ own_number: '12' }, 'number'],
    [{ account: { CLOUDTWO_API_KEY: 'x' } }, 'CLOUDTWO_API_KEY is no setting of Phaxio.'],
    [{ account: { CLOUDONE_API_KEY: 'x' } }, 'has no credentials yet'],
    [
      {
        account: { CLOUDONE_API_KEY: 'x', CLOUDONE_API_SECRET: 'y', CLOUDONE_API_URL: 'http://example.com' },
      },
      'must use HTTPS',
    ],
    [{ account: { CLOUDONE_API_KEY: 'x', CLOUDONE_VERIFY_SIGNATURE: 'maybe' } }, 'must be true or false'],
    [
      { backend: 'sip', account: { TRUNK_NAME: 'carrier-b' } },
      'set the password of the telephone engine first',
    ],
    [{ backend: 'sip', account: { TRUNK_NAME: 'carrier b' } }, 'must be 1 to 40 letters'],
  ])('refuse %j with a sentence', async (fields, sentence) => {
    const body = { name: 'Route', backend: 'cloudone', ...fields };
    const [status, { detail }] = await request('POST', '/routing/routes', body);
    expect([status, detail]).toEqual([400, expect.stringContaining(sentence)]);
  });

  test('send by the longest prefix and say so, and without one as the settings say', async () => {
    expect((await sent('+81312345678')).route).toBeNull();
    const wide = await create({ name: 'Everywhere in Japan', prefixes: ['+81'], priority: 1 });
    const tokyo = await create({ name: 'Tokyo', prefixes: ['+813'], header_name: 'Tokyo Clinic' });
    const fax = await sent('+81312345678');
    expect(fax).toMatchObject({
      backend: 'cloudone',
      route: { id: tokyo.id, name: 'Tokyo', reason: 'Route “Tokyo”: longest prefix +813.' },
    });
    const [accepted] = await gateway.history(fax.id);
    expect(accepted?.text).toContain('Route “Tokyo”: longest prefix +813.');
    expect(gateway.emulator.faxes.get(String(fax.provider_sid))?.headerText).toContain('Tokyo Clinic');
    await change(tokyo.id, { enabled: false });
    expect((await sent('+81312345679')).route?.id).toBe(wide.id);
    await change(wide.id, { prefixes: ['+82'] });
    expect((await sent('+81312345670')).route).toBeNull();
  });

  test('with an account of their own stand beside that of the settings, and never show it', async () => {
    const made = await create({ name: 'Second account', prefixes: ['+34'], account: secondAccount() });
    expect(made).toMatchObject({ has_account: true, problem: null });
    const [, read] = await request('GET', `/routing/routes/${made.id}`);
    expect(JSON.stringify(read)).not.toContain(SECOND.apiSecret);
    const [by, other] = [await sent('+34911234567'), await sent('+351211234567')];
    expect(second.faxes.has(String(by.provider_sid))).toBe(true);
    expect(gateway.emulator.faxes.has(String(other.provider_sid))).toBe(true);
    expect(by.attempt?.provider_account).not.toBe(other.attempt?.provider_account);
    second.complete(String(by.provider_sid), {});
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(by.id)).delivery_state).toBe('success');
    // It stays while other things change, and goes where it is taken away.
    expect((await change(made.id, { lines: 2 })).has_account).toBe(true);
    expect((await change(made.id, { account: null })).has_account).toBe(false);
    expect(JSON.stringify(gateway.logLines)).not.toContain(SECOND.apiSecret);
  });

  test('with an account of their own follow the address of the settings, unless it was changed since', async () => {
    const account = { CLOUDONE_API_KEY: 'emulator-key', CLOUDONE_API_SECRET: 'emulator-secret' };
    const made = await create({ name: 'Same address', prefixes: ['+353'], account });
    expect(made.problem).toBeNull();
    const fax = await sent('+35312345678');
    expect(gateway.emulator.faxes.has(String(fax.provider_sid))).toBe(true);
    const problem = async () => (await request('GET', `/routing/routes/${made.id}`))[1].problem;
    const secrets = { ...account, CLOUDONE_CALLBACK_TOKEN: 'test-callback-token' };
    await gateway.set({ ...secrets, CLOUDONE_API_URL: second.url });
    expect(await problem()).toBe('Its account was entered for another address of Phaxio. Enter it again.');
    await change(made.id, { account });
    expect(await problem()).toBeNull();
    // The provider's own address needs nothing.
    await gateway.set({ CLOUDONE_API_URL: null });
    expect(await problem()).toBeNull();
    await gateway.set({ ...secrets, CLOUDONE_API_URL: gateway.emulator.url });
    expect(await problem()).not.toBeNull();
    const [, { version }] = await request('GET', `/routing/routes/${made.id}`);
    await request('POST', `/routing/routes/${made.id}/remove`, { version });
  });

  test('rule (routing): a fax keeps the route and account that were captured at acceptance', async () => {
    const made = await create({ name: 'Before', prefixes: ['+36'], account: secondAccount() });
    await gateway.set({ FAX_DISABLED: true });
    const { id } = await gateway.send({ to: '+3612345678' });
    await change(made.id, { name: 'After', account: null });
    const [, { version }] = await request('GET', `/routing/routes/${made.id}`);
    await request('POST', `/routing/routes/${made.id}/remove`, { version });
    await gateway.set({ FAX_DISABLED: false });
    const { delivery_version } = await gateway.fax(id);
    const released = await gateway.request('POST', `/fax/${id}/release`, { json: { delivery_version } });
    expect(released.status, await released.text()).toBe(200);
    await gateway.processAll();
    const fax = await gateway.fax(id);
    expect(fax.route?.name).toBe('Before');
    expect(second.faxes.has(String(fax.provider_sid))).toBe(true);
  });

  test('that cannot be used are passed over, and a fax that has no other is refused', async () => {
    const broken = await create({ name: 'Not set up', backend: 'cloudtwo', prefixes: ['+4420'] });
    expect(broken.problem).toContain('no credentials yet');
    const refused = await gateway.sendForm({ to: '+442079460958' }, [new File(['Hello'], 'a.txt')]);
    expect([refused.status, ((await refused.json()) as Body).detail]).toEqual([
      409,
      expect.stringContaining('Route “Not set up” cannot be used now.'),
    ]);
    await create({ name: 'Great Britain', prefixes: ['+44'] });
    expect((await sent('+442079460958')).route).toMatchObject({
      name: 'Great Britain',
      reason: expect.stringContaining('Route “Not set up” cannot be used now.'),
    });
  });

  test('are preferred by a contact, whatever their prefixes', async () => {
    const usual = await create({ name: 'Italy', prefixes: ['+39'] });
    const wanted = await create({ name: 'For friends', prefixes: ['+999'] });
    const number = '+390612345678';
    const fields = { name: 'Rome', fax_number: number, preferred_route: wanted.id };
    const [status, contact] = await request('POST', '/contacts', fields);
    expect([status, contact.preferred_route]).toEqual([201, { id: wanted.id, name: 'For friends' }]);
    expect((await sent(number)).route).toEqual({
      id: wanted.id,
      name: 'For friends',
      reason: 'Route “For friends”: preferred for this contact.',
    });
    const { id } = contact;
    expect((await request('PATCH', `/contacts/${id}`, { version: 1, preferred_route: 'none' }))[0]).toBe(400);
    // Other changes leave it; a route that is removed is named no more, and the prefix decides.
    expect((await request('PATCH', `/contacts/${id}`, { version: 1, note: 'Ciao' }))[1]).toMatchObject({
      preferred_route: { id: wanted.id },
    });
    await request('POST', `/routing/routes/${wanted.id}/remove`, { version: 1 });
    expect((await request('GET', `/contacts/${id}`))[1].preferred_route).toBeNull();
    expect((await sent(number)).route?.id).toBe(usual.id);
  });

  test('make only as many calls at once as they have lines', async () => {
    await create({ name: 'One line', prefixes: ['+370'], lines: 1 });
    const first = await sent('+37052123451');
    const waiting = await sent('+37052123452');
    expect([first.delivery_state, waiting.delivery_state, waiting.waits_for]).toEqual([
      'in_progress',
      'ready',
      'line',
    ]);
    // Other faxes of the same account do not wait for it.
    expect((await sent('+371671234567')).delivery_state).toBe('in_progress');
    gateway.emulator.complete(String(first.provider_sid), {});
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    expect((await gateway.fax(waiting.id)).delivery_state).toBe('in_progress');
  });

  test('have rate cards of their own, and costs are added up by route', async () => {
    const route = await create({ name: 'Dear route', prefixes: ['+372'] });
    const next = await create({ name: 'Second choice', prefixes: ['+37'] });
    const prices = { backend: 'cloudone', currency: 'EUR', prefixes: ['+372'] };
    const cards = '/routing/rate-cards';
    const [, ofAll] = await request('POST', cards, { ...prices, per_page: '0.10' });
    const [status, own] = await request('POST', cards, { ...prices, per_page: '0.25', route_id: route.id });
    expect([status, own.route_id, ofAll.route_id]).toEqual([201, route.id, null]);
    expect((await request('POST', cards, { ...prices, per_page: '1', route_id: route.id }))[0]).toBe(409);
    expect((await request('POST', cards, { ...prices, per_page: '1', route_id: 'none' }))[0]).toBe(400);
    const elsewhere = { ...prices, backend: 'sip', per_page: '1', route_id: route.id };
    expect((await request('POST', cards, elsewhere))[0]).toBe(400);

    const [, { ways }] = await request('GET', '/routing/quote?to=%2B3726123456&pages=1');
    expect(ways).toMatchObject([
      {
        name: 'Dear route',
        route: { id: route.id, name: 'Dear route' },
        chosen_by: 'Route “Dear route”: longest prefix +372.',
        amount: { amount: '0.25', currency: 'EUR' },
      },
      {
        name: 'Second choice',
        route: { id: next.id },
        chosen_by: 'Route “Second choice”: prefix +37.',
        amount: { amount: '0.10', currency: 'EUR' },
      },
    ]);
    const fax = await sent('+3726123456');
    expect(fax.attempt?.cost?.estimated).toEqual({ amount: '0.25', currency: 'EUR' });
    const plain = await sent('+3582012345');
    gateway.emulator.complete(String(fax.provider_sid), { cost: 30 });
    gateway.emulator.complete(String(plain.provider_sid), {});
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    await request('POST', `/routing/routes/${route.id}/remove`, { version: 1 });
    const [, { rows }] = await request('GET', '/routing/costs?group_by=route');
    expect(rows).toContainEqual({
      key: route.id,
      name: 'Dear route',
      amounts: [{ amount: '0.30', currency: 'USD' }],
      known: 1,
      unknown: 0,
    });
    expect(rows).toContainEqual(expect.objectContaining({ key: 'cloudone', name: 'Phaxio' }));
  });
});
