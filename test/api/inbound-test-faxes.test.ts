import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, read } from '../setup/test-keys.ts';
import { type Inbound, InboundGateway } from './inbound-setup.ts';

let inbound: InboundGateway;
let key = '';
let live = '';

beforeAll(async () => {
  inbound = await InboundGateway.start();
  key = await createKey(inbound.gateway, { test: true });
  live = await createKey(inbound.gateway, { test: false });
});
afterAll(() => inbound.close());

const ask = (by: string | undefined, json: object = {}) =>
  inbound.gateway.request('POST', '/inbound/test-fax', { json, ...(by === undefined ? {} : { key: by }) });

async function receive(json: object = {}): Promise<Inbound> {
  const response = await ask(key, json);
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`);
  return (await response.json()) as Inbound;
}

const ids = (faxes: readonly Inbound[]) => faxes.map(({ id }) => id);

describe('a test fax that a test key asks for', () => {
  test('comes in for that key with a document', async () => {
    const fax = await receive({ from_number: '+12025550155' });
    expect(fax).toMatchObject({
      fr: '+12025550155',
      to: '+12025550100',
      status: 'received',
      backend: 'test',
      pages: 1,
      test: true,
      is_test: true,
      junk: false,
      work_item_id: null,
    });
    expect(ids(await inbound.list('', key))).toContain(fax.id);
    const pdf = await inbound.gateway.request('GET', `/inbound/${fax.id}/pdf`, { key });
    expect([pdf.status, (await pdf.text()).slice(0, 5)]).toEqual([200, '%PDF-']);
    expect((await inbound.evidence(fax.id)).map(({ kind, text }) => [kind, text])).toEqual([
      ['test', 'A test key asked for this test fax.'],
      ['document', 'The test page was stored.'],
    ]);
  });

  test('is for test keys only, and needs receiving', async () => {
    for (const by of [live, undefined]) {
      const refused = await ask(by);
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { detail: 'Only a test key can ask for this test fax.' },
      ]);
    }
    expect((await ask(key, { to_number: '12' })).status).toBe(400);
    await inbound.gateway.set({ INBOUND_ENABLED: false });
    expect((await ask(key)).status).toBe(404);
    await inbound.gateway.set({ INBOUND_ENABLED: true });
  });

  test('rule (access): a test key sees received test faxes only', async () => {
    const emulated = inbound.arrive();
    await inbound.notify(emulated);
    await inbound.work();
    const [real] = await inbound.list();
    const mine = await receive();
    expect(real?.test).toBe(false);
    expect(ids(await inbound.list('?include_test=true', key))).not.toContain(real?.id);
    for (const path of ['', '/evidence', '/pdf', '/pages/1?width=400', '/readers'])
      expect((await inbound.gateway.request('GET', `/inbound/${real?.id}${path}`, { key })).status).toBe(404);
    const mark = await inbound.gateway.request('PUT', `/inbound/${real?.id}/read`, {
      key,
      json: { read: true },
    });
    expect(mark.status).toBe(404);
    expect((await inbound.gateway.request('GET', `/inbound/${mine.id}`, { key })).status).toBe(200);
    const counts = await inbound.counts(key);
    expect(counts.unread).toBe((await inbound.list('?unread=true', key)).length);
  });

  test('rule (crossings): received test faxes are in no list, count, search or work of people unless asked for', async () => {
    const before = await inbound.counts();
    const work = await read<object>(inbound.gateway, '/work/counts');
    const fax = await receive({ from_number: '+12025550166' });
    expect(ids(await inbound.list())).not.toContain(fax.id);
    expect(ids(await inbound.list('?junk=false'))).not.toContain(fax.id);
    expect(ids(await inbound.list('?unread=true'))).not.toContain(fax.id);
    expect(await inbound.list('?q=5550166')).toEqual([]);
    expect(await inbound.list(`?ids=${fax.id}`)).toEqual([]);
    expect(await inbound.list('?from_number=%2B12025550166')).toEqual([]);
    expect(ids(await inbound.list('?include_test=true'))).toContain(fax.id);
    expect(ids(await inbound.list('?include_test=true&unread=true'))).toContain(fax.id);
    expect(await inbound.counts()).toEqual(before);
    expect(await read(inbound.gateway, '/work/counts')).toEqual(work);
    const { items } = await read<{ items: { inbound_fax_id?: string }[] }>(inbound.gateway, '/work');
    expect(JSON.stringify(items)).not.toContain(fax.id);
  });

  test('rule (crossings): a sender is never blocked from a test fax, not even a blocked one goes to Junk', async () => {
    const fax = await receive({ from_number: '+12025550188' });
    const post = (path: string, json: object) => inbound.gateway.request('POST', path, { json });
    expect((await post('/inbound/blocked-senders', { fax_id: fax.id })).status).toBe(409);
    expect((await post('/inbound/blocked-senders', { number: '+12025550188' })).status).toBe(200);
    expect(await receive({ from_number: '+12025550188' })).toMatchObject({ junk: false });
    expect(ids(await inbound.list('?junk=true'))).toEqual([]);
    expect((await inbound.counts()).junk).toBe(0);
  });
});
