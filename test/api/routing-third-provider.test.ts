import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PROVIDERS } from '../../server/composition/providers.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { BACKEND_NAMES } from '../setup/backend-names.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { defineFaxHouse } from '../setup/third-provider/definition.ts';
import { FaxHouse, proofOf } from '../setup/third-provider/vendor.ts';

const PUBLIC_URL = 'https://fax.example.com';
const INBOUND_URL = `${PUBLIC_URL}/faxhouse-inbound`;
const ARRIVAL = { from: '+12025550199', to: '+12025550100' };

let house: FaxHouse;
let gateway: TestGateway;
beforeEach(async () => {
  house = new FaxHouse();
  gateway = await startTestGateway({
    providers: [...PROVIDERS, defineFaxHouse(house)],
    settings: { PUBLIC_API_URL: PUBLIC_URL, INBOUND_ENABLED: 'true' },
  });
});
afterEach(() => gateway.close());

const account = () => ({ FAXHOUSE_OFFICE: 'north', FAXHOUSE_KEY: house.key });
const setUp = () => gateway.set({ ...account(), FAX_BACKEND: 'faxhouse' });
const put = (changes: Record<string, unknown>) =>
  gateway.request('PUT', '/admin/settings', { json: { changes } });

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely
async function read(path: string): Promise<any> {
  const response = await gateway.request('GET', path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.json();
}

async function validate(settings: Record<string, string>): Promise<{ ok: boolean; detail: string }> {
  const json = { provider: 'faxhouse', settings };
  const response = await gateway.request('POST', '/admin/settings/validate', { json });
  expect(response.status).toBe(200);
  return (await response.json()) as { ok: boolean; detail: string };
}

function notify(fax: unknown, proof = proofOf(house.key, INBOUND_URL)): Promise<Response> {
  const headers = { 'X-House-Proof': proof };
  return gateway.request('POST', '/faxhouse-inbound', { key: null, json: fax, headers });
}

describe('a provider that only the registry names: its settings', () => {
  test('are shown with its words, and can be chosen', async () => {
    const { settings, providers } = await read('/admin/settings');
    const choices = settings.find(({ name }: { name: string }) => name === 'FAX_BACKEND').choices;
    expect(choices).toEqual([...BACKEND_NAMES, 'faxhouse']);
    expect(providers.at(-1)).toEqual({
      backend: 'faxhouse',
      name: 'Fax House',
      help: 'A provider of the tests. Needs an office and its key.',
      settings: ['FAXHOUSE_OFFICE', 'FAXHOUSE_KEY', 'FAXHOUSE_URL'],
      essentials: ['FAXHOUSE_OFFICE', 'FAXHOUSE_KEY'],
      optional: [],
      header_own_form: [],
      notification_problem: null,
    });
    expect((await put({ FAX_BACKEND: 'faxhouse' })).status).toBe(200);
    expect((await put({ FAX_BACKEND: 'nobody' })).status).toBe(422);
  });

  test('keep its secret, check its address and guard what is saved from another one', async () => {
    await gateway.set(account());
    expect(JSON.stringify(await read('/admin/settings'))).not.toContain(house.key);
    expect((await put({ FAXHOUSE_URL: 'http://house.example.com' })).status).toBe(422);
    expect(await validate({})).toEqual({ ok: true, detail: 'The Fax House knows the office north.' });
    expect(await validate({ FAXHOUSE_KEY: 'wrong' })).toMatchObject({ ok: false });
    const elsewhere = await validate({ FAXHOUSE_URL: 'https://elsewhere.example.com' });
    expect(elsewhere).toMatchObject({ ok: false, detail: expect.stringContaining('no credentials yet') });
    expect(house.calls.map(({ url }) => url)).not.toContain('https://elsewhere.example.com');
  });
});

describe('a provider that only the registry names: the console', () => {
  test('gets its name, whether it is ready, and the addresses to paste there', async () => {
    await gateway.set({ FAX_BACKEND: 'faxhouse' });
    expect((await read('/console/installation')).sending).toMatchObject({ state: 'not_set_up' });
    await gateway.set(account());
    const { sending, callback_addresses, setup } = await read('/console/installation');
    expect(sending).toMatchObject({ backend: 'faxhouse', provider_name: 'Fax House', state: 'ok' });
    expect(setup.provider).toBe(true);
    expect(callback_addresses).toEqual(
      expect.arrayContaining([expect.objectContaining({ backend: 'faxhouse', address: INBOUND_URL })]),
    );
    const { provider_names, provider_view } = await read('/auth/context');
    expect(provider_names).toMatchObject({ cloudone: 'Phaxio', faxhouse: 'Fax House' });
    expect(provider_view.active_outbound).toBe('faxhouse');
  });

  test('finds it in the description of the interface', async () => {
    const { paths, components } = await read('/openapi.json');
    expect(paths['/faxhouse-callback'].post.summary).toBe('Outcome of a fax, proved by the Fax House');
    expect(paths['/faxhouse-inbound'].post.tags).toEqual(['inbound']);
    expect(components.schemas.Backend.enum).toEqual([...BACKEND_NAMES, 'faxhouse']);
    expect(components.schemas.InboundBackend.enum).toContain('test');
  });
});

describe('a provider that only the registry names: faxes', () => {
  test('rule (routing): a provider is one folder and one line of the registry, and nothing else names it', async () => {
    await gateway.set({ FAX_BACKEND: 'faxhouse' });
    await expect(gateway.send()).rejects.toThrow('set its office and key first');
    await setUp();
    const { id } = await gateway.send();
    await gateway.processAll();
    const [sent] = house.sent;
    expect(sent?.bytes.subarray(0, 5).toString()).toBe('%PDF-');
    expect(sent?.request.callbackUrl).toContain(`${PUBLIC_URL}/faxhouse-callback?job_id=${id}`);
    expect(await gateway.fax(id)).toMatchObject({ backend: 'faxhouse', delivery_state: 'in_progress' });
    if (sent) sent.state = 'delivered';
    const refreshed = await gateway.request('POST', `/fax/${id}/refresh`);
    expect(refreshed.status).toBe(200);
    expect(await gateway.fax(id)).toMatchObject({ delivery_state: 'success', provider_sid: 'out-1' });
  });

  test('have their callbacks proved by the account that they captured', async () => {
    await setUp();
    await gateway.send();
    await gateway.processAll();
    await gateway.set({ FAXHOUSE_KEY: 'another-key' });
    const address = house.sent[0]?.request.callbackUrl ?? '';
    const call = async (key: string) => {
      const form = new FormData();
      form.append('done', 'yes');
      const headers = { 'X-House-Proof': proofOf(key, address) };
      return (await gateway.request('POST', address.slice(PUBLIC_URL.length), { key: null, form, headers }))
        .status;
    };
    expect([await call('another-key'), await call(house.key)]).toEqual([401, 200]);
  });

  test('come in by its own notifications and are found under its name', async () => {
    await setUp();
    const fax = house.arrive({ ...ARRIVAL, document: textPdf(1) });
    const reported = { id: fax.id, ...ARRIVAL };
    expect([(await notify(reported, 'wrong')).status, (await read('/inbound')).length]).toEqual([401, 0]);
    expect((await notify(reported)).status).toBe(200);
    await gateway.processAll();
    const [received, ...others] = await read('/inbound?backend=faxhouse');
    expect(others).toEqual([]);
    expect(received).toMatchObject({ backend: 'faxhouse', status: 'received', fr: ARRIVAL.from, pages: 1 });
    expect(await read('/inbound?backend=cloudone')).toEqual([]);
    expect((await gateway.request('GET', '/inbound?backend=nobody')).status).toBe(400);
  });
});
