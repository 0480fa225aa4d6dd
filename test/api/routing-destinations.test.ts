import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { FaxOutcome } from '../setup/emulators/cloudone/fax-record.ts';
import { startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MailboxPeople } from '../setup/mailbox-people.ts';
import { DAY, MINUTE } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, postgresUrl, STORES, withoutPostgres } from '../setup/stores.ts';

// Tests look into answers of every shape.
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const BUSY = { status: 'failure', errorType: 'lineError', errorId: 17 } as const;
const NONE = { success: 0, failed: 0, doubt: 0, pages: 0, amounts: [], known: 0, unknown: 0 };
const usd = (amount: string) => ({ amount, currency: 'USD' });

describe.for(STORES)(`how routes do to a number, on %s${withoutPostgres}`, (kind) => {
  let gateway: TestGateway;
  let people: MailboxPeople;
  let databaseUrl: string | null = null;
  beforeAll(async () => {
    if (kind === 'postgres' && postgresUrl) databaseUrl = await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    people = new MailboxPeople(gateway, databaseUrl);
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl) await dropPostgresDatabase(databaseUrl);
  });

  async function request(path: string, key?: string): Promise<[number, Body]> {
    const answer = await gateway.request('GET', path, { key });
    return [answer.status, await answer.json()];
  }
  const about = async (number: string, key?: string): Promise<Body> =>
    (await request(`/routing/destinations/${encodeURIComponent(number)}`, key))[1];
  async function listed(key?: string): Promise<string[]> {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const [, page]: [number, Body] = await request(
        `/routing/destinations?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`,
        key,
      );
      found.push(...page.items.map(({ number }: Body) => number));
      cursor = page.next_cursor;
    }
    return found;
  }

  async function send(to: string, key?: string): Promise<string> {
    const form = new FormData();
    form.append('to', to);
    form.append('file', textFile());
    const answer = await gateway.request('POST', '/fax', { key, form });
    expect(answer.status).toBe(202);
    const { id } = (await answer.json()) as { id: string };
    await gateway.processAll();
    return id;
  }
  async function ended(to: string, outcome: FaxOutcome, key?: string): Promise<void> {
    const { provider_sid } = await gateway.fax(await send(to, key));
    gateway.emulator.complete(String(provider_sid), outcome);
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
  }

  test('deliveries, failures and doubts are counted with what they cost, and what still goes on is not', async () => {
    const to = '+442079460001';
    await ended(to, { cost: 7 });
    await ended(to, { cost: 9 });
    await ended(to, { ...BUSY, cost: 0 });
    await send(to);
    const { number, country, routes, recommendation } = await about('+44 20 7946 0001');
    expect([number, country]).toEqual([to, 'GB']);
    const counted = {
      ...NONE,
      success: 2,
      failed: 1,
      pages: 2,
      amounts: [usd('0.16')],
      known: 2,
      unknown: 1,
    };
    expect(routes).toEqual([
      {
        backend: 'cloudone',
        route_id: null,
        name: 'Phaxio',
        days_30: counted,
        days_90: counted,
        per_page: null,
      },
    ]);
    expect(recommendation).toEqual({
      backend: 'cloudone',
      route_id: null,
      reason: 'Phaxio delivered 2 of 3 in 30 days.',
    });
  });

  test('a fax that the provider refused counts as failed and costs nothing; one in doubt until somebody decides', async () => {
    const to = '+442079460002';
    gateway.emulator.setFault({ kind: 'refused', status: 422, method: 'POST' });
    await send(to);
    gateway.emulator.setFault({ kind: 'dropped', method: 'POST' });
    const id = await send(to);
    expect((await about(to)).routes[0].days_30).toEqual({ ...NONE, failed: 1, doubt: 1, unknown: 1 });
    const { delivery_version } = await gateway.fax(id);
    const json = { outcome: 'success', note: 'They have it.', delivery_version };
    expect((await gateway.request('POST', `/fax/${id}/reconcile`, { json })).status).toBe(200);
    expect((await about(to)).routes[0].days_30).toMatchObject({ success: 1, failed: 1, doubt: 0, pages: 1 });
  });

  test('canceled faxes do not count for a route', async () => {
    const to = '+442079460003';
    const { id, delivery_version } = await gateway.send({ to });
    const json = { delivery_version };
    expect((await gateway.request('POST', `/fax/${id}/cancel`, { json })).status).toBe(200);
    expect(await about(to)).toMatchObject({
      routes: [],
      last_at: null,
      recommendation: { backend: null, reason: 'No fax to this number has ended in the last 90 days.' },
    });
  });

  test('only attempts of faxes are counted that the caller may read', async () => {
    await people.addMailbox('surgery', 'Surgery');
    const reads = ['fax:send', 'fax:read'];
    const anna = await people.addPerson({ installation: ['routing:read'], 'mailbox:surgery': reads });
    const to = '+442079460004';
    const form = new FormData();
    for (const [name, value] of Object.entries({ to, mailbox: 'surgery' })) form.append(name, value);
    form.append('file', textFile());
    expect((await gateway.request('POST', '/fax', { key: anna.key, form })).status).toBe(202);
    await gateway.processAll();
    const faxes = (await (await gateway.request('GET', '/fax?limit=1')).json()) as Body;
    gateway.emulator.complete(String(faxes.items[0].provider_sid), { cost: 7 });
    gateway.clock.advance(5 * MINUTE);
    await gateway.processAll();
    await ended(to, { cost: 7 });
    expect((await about(to)).routes[0].days_30.success).toBe(2);
    expect((await about(to, anna.key)).routes[0].days_30.success).toBe(1);
    expect(await listed(anna.key)).toEqual([to]);
    expect((await about('+442079460001', anna.key)).routes).toEqual([]);
  });

  test('the list has the numbers of 90 days in their order; what is older than 30 days counts apart', async () => {
    expect(await listed()).toEqual(['+442079460001', '+442079460002', '+442079460004']);
    gateway.clock.advance(31 * DAY);
    const to = '+442079460005';
    await ended(to, { cost: 7 });
    const older = (await about('+442079460004')).routes[0];
    expect([older.days_30, older.days_90.success]).toEqual([NONE, 2]);
    gateway.clock.advance(60 * DAY);
    await gateway.processAll();
    expect(await listed()).toEqual([to]);
  });

  test('a number that is none is refused, and so is a wrong cursor', async () => {
    expect((await request('/routing/destinations/12'))[0]).toBe(400);
    expect((await request('/routing/destinations?cursor=x'))[0]).toBe(400);
  });
});
