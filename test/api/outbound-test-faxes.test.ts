import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { TestOutcome } from '../../shared/test-numbers.ts';
import { type Fax, startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE, SECOND } from '../setup/manual-clock.ts';
import { dropPostgresDatabase } from '../setup/postgres.ts';
import { newPostgresDatabase, STORES } from '../setup/stores.ts';
import { createKey, read, sendWith } from '../setup/test-keys.ts';

type Page = { items: Fax[]; next_cursor: string | null };

describe.each(STORES)('a fax of a test key on %s', (store) => {
  let gateway: TestGateway;
  let databaseUrl: string | null = null;
  let key = '';
  let live = '';

  beforeAll(async () => {
    if (store === 'postgres') databaseUrl = await newPostgresDatabase();
    gateway = await startTestGateway({ databaseUrl });
    key = await createKey(gateway, { test: true });
    live = await createKey(gateway, { test: false });
  });
  beforeEach(() => void (gateway.emulator.calls.length = 0));
  afterAll(async () => {
    await gateway.close();
    if (databaseUrl !== null) await dropPostgresDatabase(databaseUrl);
  });

  const get = (id: string, by: string | null = null) => read<Fax>(gateway, `/fax/${id}`, by);
  const idsOf = async (query: string, by: string | null = null) =>
    (await read<Page>(gateway, `/fax${query}`, by)).items.map(({ id }) => id);
  /** Lets the time of a fax pass, with all that is due. */
  const wait = async (ms: number) => {
    await gateway.processAll();
    gateway.clock.advance(ms);
    await gateway.processAll();
  };

  test('rule (outbound): a fax of a test key is handed to nobody, and its number decides the outcome', async () => {
    const expected: Record<TestOutcome, Partial<Fax>> = {
      delivered: { delivery_state: 'success', delivered_by: 'test', pages: 1 },
      busy: { delivery_state: 'failed', error: 'The line was busy.' },
      no_answer: { delivery_state: 'failed', error: 'Nobody answered.' },
      refused: { delivery_state: 'failed', error: 'The fax was refused, as this test number says.' },
      cut_off: { delivery_state: 'failed', error: 'The call broke off before the last page.' },
      delayed: { delivery_state: 'in_progress' },
      unconfirmed: { delivery_state: 'reconciliation_required' },
    };
    const numbers = Object.keys(expected).map((_, i) => `+1202555010${i}`);
    const sent = await Promise.all(numbers.map((to) => sendWith(gateway, key, { to })));
    expect(sent.map((fax) => [fax.test, fax.backend])).toEqual(sent.map(() => [true, 'test']));
    await wait(3 * SECOND);
    for (const [i, facts] of Object.values(expected).entries())
      expect(await get(sent[i]?.id ?? '', key)).toMatchObject({
        ...facts,
        test: true,
        cost: null,
        free: true,
      });
    for (const [i, unreached] of [
      [1, 'busy'],
      [2, 'no_answer'],
    ] as const)
      expect((await get(sent[i]?.id ?? '')).attempt?.unreached).toBe(unreached);
    await wait(2 * MINUTE);
    expect(await get(sent[5]?.id ?? '')).toMatchObject({ delivery_state: 'success', delivered_by: 'test' });
    expect(gateway.emulator.calls).toEqual([]);
  });

  test('is delivered to any other number, and says so in its history and its report', async () => {
    const { id } = await sendWith(gateway, key, { to: '+49 30 1234567' });
    await wait(3 * SECOND);
    expect((await gateway.history(id)).map(({ kind, text }) => [kind, text])).toEqual([
      ['accepted', 'Accepted and ready to be sent.'],
      ['submitting', 'Test fax: it is handed to nobody.'],
      ['in_progress', expect.any(String)],
      ['success', 'Recorded as delivered: 1 page. This is a test fax; nothing was sent.'],
    ]);
    const report = await gateway.request('GET', `/fax/${id}/report`, { key });
    expect([report.status, report.headers.get('content-type')]).toEqual([200, 'application/pdf']);
    expect(gateway.emulator.calls).toEqual([]);
  });

  test('passes the rules of a live fax: number, document, schedule and held sending', async () => {
    const post = async (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('file', new File(['no picture'], 'letter.png', { type: 'image/png' }));
      return (await gateway.request('POST', '/fax', { key, form })).status;
    };
    expect(await post({ to: '12' })).toBe(400);
    expect(await post({ to: '+12025550100' })).toBe(415);
    const later = await sendWith(gateway, key, {
      send_at: new Date(gateway.clock.now() + 10 * MINUTE).toISOString(),
    });
    await wait(MINUTE);
    expect((await get(later.id)).delivery_state).toBe('ready');
    await wait(10 * MINUTE);
    await wait(3 * SECOND);
    expect((await get(later.id)).delivery_state).toBe('success');
    await gateway.set({ FAX_DISABLED: true });
    expect((await sendWith(gateway, key)).delivery_state).toBe('held');
    await gateway.set({ FAX_DISABLED: false });
  });

  test('rule (outbound): no later change of the settings hands a test fax to anybody', async () => {
    const at = new Date(gateway.clock.now() + 10 * MINUTE).toISOString();
    const { id } = await sendWith(gateway, key, { send_at: at });
    await gateway.set({ FAX_ORGANIZATION: 'Another name' });
    await wait(10 * MINUTE);
    await wait(3 * SECOND);
    expect(await get(id)).toMatchObject({ delivery_state: 'success', delivered_by: 'test' });
    expect(gateway.emulator.calls).toEqual([]);
  });

  test('rule (outbound): a test fax that is sent again is a test fax, whoever sends it again', async () => {
    const { id } = await sendWith(gateway, key, { to: '+12025550101' });
    await wait(3 * SECOND);
    for (const by of [key, live, null]) {
      const response = await gateway.request('POST', `/fax/${id}/resend`, by === null ? {} : { key: by });
      const again = (await response.json()) as Fax;
      expect([response.status, again.test, again.resend_of]).toEqual([202, true, id]);
    }
    const tried = await gateway.request('POST', `/fax/${id}/try-again`, {});
    expect(await tried.json()).toMatchObject({ test: true, resend_of: id });
    await wait(10 * MINUTE);
    expect(gateway.emulator.calls).toEqual([]);
  });

  test('rule (access): a test key sees and changes test faxes only', async () => {
    const real = await sendWith(gateway, live, { to: '+12025550142' });
    const own = await sendWith(gateway, key, { to: '+12025550143' });
    expect(await idsOf('?include_test=false', key)).not.toContain(real.id);
    expect(await idsOf('?include_test=true', key)).not.toContain(real.id);
    expect(await idsOf(`?ids=${real.id}`, key)).toEqual([]);
    expect(await idsOf('', key)).toContain(own.id);
    for (const [method, path, json] of [
      ['GET', `/fax/${real.id}`],
      ['GET', `/fax/${real.id}/history`],
      ['GET', `/fax/${real.id}/document`],
      ['GET', `/fax/${real.id}/report`],
      ['POST', `/fax/${real.id}/resend`],
      ['POST', `/fax/${real.id}/refresh`],
      ['POST', `/fax/${real.id}/cancel`, { delivery_version: 1 }],
    ] as const)
      expect([path, (await gateway.request(method, path, { key, json })).status]).toEqual([path, 404]);
    const numbers = await read<{ items: unknown[] }>(gateway, '/fax/numbers', key);
    expect(numbers.items).toEqual([]);
    await wait(MINUTE);
  });

  test('rule (crossings): test faxes are in no list, count, search or number of people unless asked for', async () => {
    const before = await read<{ all: Record<string, number> }>(gateway, '/fax/counts');
    const states = await (await gateway.request('GET', '/metrics')).text();
    const { id } = await sendWith(gateway, key, { to: '+12025550177' });
    await wait(3 * SECOND);
    expect(await idsOf('')).not.toContain(id);
    expect(await idsOf('?q=5550177')).toEqual([]);
    expect(await idsOf(`?ids=${id}`)).toEqual([]);
    expect(await idsOf('?state=success')).not.toContain(id);
    expect(await idsOf('?updated_since=2026-01-01T00:00:00Z')).not.toContain(id);
    expect(await idsOf('?include_test=true')).toContain(id);
    expect(await idsOf('?include_test=true&q=5550177')).toEqual([id]);
    expect(await read(gateway, '/fax/counts')).toEqual(before);
    const faxes = (text: string) => text.split('\n').filter((line) => line.startsWith('faxdesk_faxes'));
    expect(faxes(await (await gateway.request('GET', '/metrics')).text())).toEqual(faxes(states));
    const numbers = await read<{ items: { to: string }[] }>(gateway, '/fax/numbers');
    expect(numbers.items.map(({ to }) => to)).not.toContain('+12025550177');
    const check = await read(gateway, '/fax/numbers/check?to=%2B12025550177');
    expect(check).toMatchObject({ first_time: true, last_success_at: null });
    expect(
      (await read<{ all: Record<string, number> }>(gateway, '/fax/counts', key)).all['success'],
    ).toBeGreaterThan(0);
  });

  test('rule (crossings): a test fax that failed is announced to nobody', async () => {
    const { id } = await sendWith(gateway, key, { to: '+12025550103' });
    await wait(3 * SECOND);
    expect((await get(id)).delivery_state).toBe('failed');
    expect(await read(gateway, '/fax/counts', key)).toMatchObject({ unseen_failed: 0 });
  });

  test('rule (crossings): test faxes cost nothing and count against no spending limit', async () => {
    const costs = () => read<object>(gateway, '/routing/costs');
    const before = await costs();
    await sendWith(gateway, key);
    await wait(3 * SECOND);
    expect(await costs()).toEqual(before);
  });

  test('rule (crossings): events about test faxes are marked', async () => {
    type Changes = { events: { kind: string; data: { id: string; test?: true } }[]; next: string };
    const { next } = await read<Changes>(gateway, '/console/changes');
    const { id } = await sendWith(gateway, key);
    const real = await sendWith(gateway, live);
    const { events } = await read<Changes>(gateway, `/console/changes?after=${encodeURIComponent(next)}`);
    const ofFax = (fax: string) => events.filter(({ data }) => data.id === fax);
    expect(ofFax(id).every(({ data }) => data.test === true)).toBe(true);
    expect(ofFax(id)).not.toEqual([]);
    expect(ofFax(real.id).every(({ data }) => data.test === undefined)).toBe(true);
    await wait(MINUTE);
  });

  test('has Idempotency-Keys of its own, so that a test never answers for a live fax', async () => {
    const person = await read<{ principal: { id: string } }>(gateway, '/auth/me', live);
    const versions = await read<{ policy_version: number }>(gateway, '/access/keys');
    const { items } = await read<{ items: { id: string; version: number }[] }>(
      gateway,
      '/access/integrations',
    );
    const principal = items.find(({ id }) => id === person.principal.id);
    const made = await gateway.request('POST', '/access/keys', {
      json: {
        principal: { id: principal?.id, version: principal?.version },
        ceiling: ['fax:send', 'fax:read'].map((permission) => ({ permission, resource_id: 'installation' })),
        test: true,
        expected_policy_version: versions.policy_version,
      },
    });
    const { token, key: facts } = (await made.json()) as { token: string; key: { test: boolean } };
    expect(facts.test).toBe(true);
    const headers = { 'Idempotency-Key': `order-${store}` };
    const first = await sendWith(gateway, token, {}, headers);
    const repeated = await sendWith(gateway, token, {}, headers);
    const real = await sendWith(gateway, live, {}, headers);
    expect(repeated.id).toBe(first.id);
    expect([real.test, real.id === first.id]).toEqual([false, false]);
    const query = `?idempotency_key=order-${store}`;
    expect(await idsOf(query, token)).toEqual([first.id]);
    expect(await idsOf(query, live)).toEqual([real.id]);
    await wait(MINUTE);
  });
});
