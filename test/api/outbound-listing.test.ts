import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { FaxCounts, FaxNumber, NumberCheck } from '../../shared/api/outbound-shapes.ts';
import { type Fax, startTestGateway, type TestGateway, textFile } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';

let gateway: TestGateway;

async function request<T>(path: string, key?: string): Promise<T> {
  const response = await gateway.request('GET', path, key === undefined ? {} : { key });
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as T;
}

const list = async (query: string, key?: string) =>
  (await request<{ items: Fax[] }>(`/fax?${query}`, key)).items.map((fax) => fax.id);

/** Sends a fax and has the provider end it with the given outcome. */
async function sendAndEnd(to: string, end: 'success' | 'failed'): Promise<Fax> {
  const { id } = await gateway.send({ to });
  await gateway.processAll();
  const { provider_sid } = await gateway.fax(id);
  const outcome = end === 'success' ? { status: 'success' } : { errorId: 17, errorType: 'lineError' };
  gateway.emulator.complete(String(provider_sid), outcome);
  gateway.clock.advance(30 * SECOND);
  await gateway.processAll();
  return gateway.fax(id);
}

async function keyOfSomebody(): Promise<string> {
  const json = { scopes: ['fax:send', 'fax:read'] };
  const response = await gateway.request('POST', '/admin/api-keys', { json });
  return ((await response.json()) as { token: string }).token;
}

describe.each(STORES)('the list in %s', (name) => {
  let databaseUrl: string | null = null;
  let other: string;
  let faxes: Record<'delivered' | 'failed' | 'cancelled' | 'theirs', string>;

  beforeAll(async () => {
    if (name === 'postgres') databaseUrl = await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    other = await keyOfSomebody();
    const delivered = (await sendAndEnd('+12025550123', 'success')).id;
    const failed = (await sendAndEnd('+12025550199', 'failed')).id;
    gateway.clock.advance(MINUTE);
    const waiting = await gateway.send({ to: '+12025550199' });
    const path = `/fax/${waiting.id}/cancel`;
    await gateway.request('POST', path, { json: { delivery_version: waiting.delivery_version } });
    gateway.clock.advance(MINUTE);
    const form = new FormData();
    form.append('to', '+493012345678');
    form.append('file', textFile('Befund\n', 'Ärztlicher Befund.txt'));
    const response = await gateway.request('POST', '/fax', { key: other, form });
    const theirs = ((await response.json()) as Fax).id;
    faxes = { delivered, failed, cancelled: waiting.id, theirs };
  });
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  test('shows several states, given with commas or repeated', async () => {
    const both = [faxes.failed, faxes.delivered];
    expect(await list('state=success,failed')).toEqual(both);
    expect(await list('state=failed&state=success')).toEqual(both);
    expect(await list('state=cancelled')).toEqual([faxes.cancelled]);
    const bad = await gateway.request('GET', '/fax?state=success,gone');
    expect(bad.status).toBe(400);
    expect(await bad.json()).toEqual({ detail: expect.stringContaining('must be one of held, ready') });
  });

  test('shows what one person submitted, also one’s own', async () => {
    const [theirs] = (await request<{ items: Fax[] }>(`/fax?limit=1`)).items;
    expect(await list(`created_by=${theirs?.created_by.id}`)).toEqual([faxes.theirs]);
    expect(await list('created_by=me', other)).toEqual([faxes.theirs]);
    expect(await list('created_by=me')).toEqual([faxes.cancelled, faxes.failed, faxes.delivered]);
    expect(await list('created_by=me&state=failed&to=(202)+555-0199')).toEqual([faxes.failed]);
    expect(await list('created_by=nobody')).toEqual([]);
  });

  test('ends at a time, and takes times with any offset', async () => {
    const { created_at } = await gateway.fax(faxes.cancelled);
    const local = new Date(Date.parse(created_at) + 120 * MINUTE).toISOString().replace('Z', '+02:00');
    const until = encodeURIComponent(local);
    expect(await list(`until=${until}`)).toEqual([faxes.failed, faxes.delivered]);
    expect(await list(`since=${until}`)).toEqual([faxes.theirs, faxes.cancelled]);
  });

  test('finds a number however it is grouped, and a name whatever its case', async () => {
    expect(await list(`q=${encodeURIComponent('555-0123')}`)).toEqual([faxes.delivered]);
    expect(await list(`q=${encodeURIComponent('ÄRZTLICHER bef')}`)).toEqual([faxes.theirs]);
    expect(await list(`q=${encodeURIComponent('%')}`)).toEqual([]);
  });

  test('says of named faxes which fit the filter', async () => {
    const { delivered, failed, cancelled, theirs } = faxes;
    const all = [delivered, theirs, failed, cancelled, 'no-such-fax'];
    expect(await list(`ids=${all.join()}`)).toEqual([theirs, cancelled, failed, delivered]);
    expect(await list(`ids=${delivered}&ids=${failed}`)).toEqual([failed, delivered]);
    expect(await list(`ids=${all.join()}&state=success,failed`)).toEqual([failed, delivered]);
    expect(await list(`ids=${delivered}&q=0199`)).toEqual([]);
    expect(await list(`ids=${all.join()}&created_by=me&limit=1`)).toEqual([cancelled]);
    expect((await gateway.request('GET', `/fax?ids=${Array(201).fill('a').join()}`)).status).toBe(400);
  });

  test('goes on from page to page with every filter', async () => {
    const filter = 'state=success,failed,cancelled,ready&limit=1';
    const ids: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: Fax[]; next_cursor: string | null } = await request(`/fax?${filter}${cursor}`);
      ids.push(...page.items.map((fax) => fax.id));
      cursor = page.next_cursor === null ? null : `&cursor=${page.next_cursor}`;
    }
    expect(ids).toEqual([faxes.theirs, faxes.cancelled, faxes.failed, faxes.delivered]);
  });

  test('is counted by state, for everybody and for the caller', async () => {
    const counts = await request<z.infer<typeof FaxCounts>>('/fax/counts');
    expect(counts.all).toMatchObject({ ready: 1, success: 1, failed: 1, cancelled: 1, held: 0 });
    expect(counts.mine).toMatchObject({ ready: 0, success: 1, failed: 1, cancelled: 1 });
    expect((await request<z.infer<typeof FaxCounts>>('/fax/counts', other)).mine).toMatchObject({
      ready: 1,
      success: 0,
    });
  });

  test('lists the numbers, the last used first', async () => {
    type Numbers = { items: z.infer<typeof FaxNumber>[]; next_cursor: string | null };
    const all = await request<Numbers>('/fax/numbers');
    expect(all.items.map(({ to, uses }) => [to, uses])).toEqual([
      ['+493012345678', 1],
      ['+12025550199', 2],
      ['+12025550123', 1],
    ]);
    expect(all.items.map((item) => item.last_success_at !== null)).toEqual([false, false, true]);
    expect(all.items[1]?.last_used_at).toBe((await gateway.fax(faxes.cancelled)).created_at);
    const found = async (q: string) =>
      (await request<Numbers>(`/fax/numbers?q=${encodeURIComponent(q)}`)).items.map(({ to }) => to);
    expect(await found('030 1234')).toEqual(['+493012345678']);
    expect(await found('(202) 555')).toEqual(['+12025550199', '+12025550123']);
    expect(await found('Dr. Example')).toEqual([]);
    expect(await found('%')).toEqual([]);
    const first = await request<Numbers>('/fax/numbers?limit=2');
    const rest = await request<Numbers>(`/fax/numbers?limit=2&cursor=${first.next_cursor}`);
    expect([...first.items, ...rest.items]).toEqual(all.items);
  });

  test('reports whether a number was used before, and for a slip the number nearest to it', async () => {
    const check = (to: string) =>
      request<z.infer<typeof NumberCheck>>(`/fax/numbers/check?to=${encodeURIComponent(to)}`);
    const { last_success_at } = await check('(202) 555-0123');
    expect(await check('(202) 555-0123')).toEqual({
      to: '+12025550123',
      display: '+1 202 555 0123',
      country: 'US',
      problem: null,
      internal: false,
      direct: false,
      encoded_pages: 'off',
      first_time: false,
      last_success_at: expect.stringMatching(/Z$/u),
      near: null,
      contact: null,
      blocked: false,
      together_minutes: 0,
      hours: { recipient: null, cheap: null },
      findings: [],
    });
    const near = { to: '+12025550123', last_success_at };
    expect(await check('+1 202 555 0124')).toMatchObject({ first_time: true, last_success_at: null, near });
    expect(await check('+1 202 555 1023')).toMatchObject({ first_time: true, near });
    // A number that no fax has reached is no reason to doubt another.
    expect(await check('+1 202 555 0198')).toMatchObject({ first_time: true, near: null });
    expect(await check('+12025550199')).toMatchObject({ first_time: false, near: null });
    expect(await check('+4930 12345678')).toMatchObject({ country: 'DE', first_time: false });
    for (const text of ['', '12', '+1 202 555', 'Dr. Example'])
      expect(await check(text)).toEqual({
        to: null,
        display: null,
        country: null,
        problem: 'That fax number is incomplete or not valid.',
        internal: false,
        direct: false,
        encoded_pages: 'off',
        first_time: false,
        last_success_at: null,
        near: null,
        contact: null,
        blocked: false,
        together_minutes: 0,
        hours: { recipient: null, cheap: null },
        findings: [],
      });
  });

  test('counts a delivery that a person recorded', async () => {
    await gateway.processAll();
    gateway.emulator.setFault({ kind: 'dropped', accepted: true, method: 'POST' });
    const { id } = await gateway.send({ to: '+12025550177' });
    await gateway.processAll();
    gateway.emulator.clearFaults();
    const { delivery_version } = await gateway.fax(id);
    const json = { outcome: 'success', note: 'They have it', delivery_version };
    expect((await gateway.request('POST', `/fax/${id}/reconcile`, { json })).status).toBe(200);
    const found = await request<z.infer<typeof NumberCheck>>('/fax/numbers/check?to=%2B12025550177');
    expect(found.last_success_at).not.toBeNull();
  });
});
