import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Fax, TestGateway } from '../setup/gateway.ts';
import { newPostgresDatabase, STORES, withoutPostgres } from '../setup/stores.ts';
import { keyWith } from './console-stream.ts';
import { MANAGER, WorkGateway } from './work-setup.ts';

const HOURS = 3_600_000;

let keys = 0;
/** A key that no other request has. */
const newKey = (): string => `key-${(keys += 1)}`;

describe.each(STORES)(`a repeated change, with %s${withoutPostgres},`, (store) => {
  let office: WorkGateway;
  let gateway: TestGateway;
  beforeAll(async () => {
    office = await WorkGateway.start({
      databaseUrl: store === 'postgres' ? await newPostgresDatabase() : null,
    });
    gateway = office.inbound.gateway;
  });
  afterAll(() => office.inbound.close());

  /** Sends a change, and returns its answer. */
  async function change(
    path: string,
    json: unknown,
    options: { idempotencyKey: string; method?: string; key?: string },
  ) {
    const { idempotencyKey, method = 'POST', key } = options;
    const headers = { 'Idempotency-Key': idempotencyKey };
    const response = await gateway.request(method, path, { json, headers, ...(key ? { key } : {}) });
    const body = (await response.json()) as Record<string, unknown>;
    return {
      status: response.status,
      replayed: response.headers.get('Idempotency-Replayed'),
      code: response.headers.get('X-Error-Code'),
      body,
    };
  }

  /** Sends a change twice, and expects the first answer both times. Returns it. */
  async function changeTwice(path: string, json: unknown, method = 'POST') {
    const options = { idempotencyKey: newKey(), method };
    const first = await change(path, json, options);
    const again = await change(path, json, options);
    expect([path, first.status < 300, first.replayed]).toEqual([path, true, null]);
    expect(again).toEqual({ ...first, replayed: 'true' });
    return first;
  }

  test('rule (api): gets the first answer again, and is carried out once', async () => {
    const ada = await office.people.addUser(`Ada ${store}`, { 'mailbox:ward': MANAGER });
    const item = await office.arrive('ward');
    const path = `/work/${item.id}`;
    const assigned = await changeTwice(`${path}/assign`, { principal_id: ada.id, version: item.version });
    const done = { note: 'Filed', version: assigned.body['version'] };
    await changeTwice(`${path}/done`, done);
    expect((await office.kinds(item.id)).filter((kind) => kind === 'done')).toHaveLength(1);
    expect((await office.kinds(item.id)).filter((kind) => kind === 'assigned')).toHaveLength(1);
    // Without the key it is another change, of something that has changed.
    expect((await gateway.request('POST', `${path}/done`, { json: done })).status).toBe(409);

    const fax = await gateway.send();
    await changeTwice(`/fax/${fax.id}/cancel`, { delivery_version: fax.delivery_version });
    await gateway.set({ FAX_DISABLED: true });
    const held = await gateway.send();
    await gateway.set({ FAX_DISABLED: null });
    await changeTwice(`/fax/${held.id}/release`, { delivery_version: held.delivery_version });

    const contact = await changeTwice('/contacts', { name: 'Lab', fax_number: '+12025550177' });
    const { id, version } = contact.body;
    await changeTwice(`/contacts/${String(id)}`, { name: 'Laboratory', version }, 'PATCH');
    const listed = await gateway.request('GET', '/contacts?q=Laboratory');
    expect(((await listed.json()) as { items: unknown[] }).items).toHaveLength(1);
  });

  test('gets the same new API key, which stands in the store sealed only', async () => {
    const { body } = await changeTwice('/admin/api-keys', { name: 'Twice', scopes: ['fax:read'] });
    const listed = (await (await gateway.request('GET', '/admin/api-keys')).json()) as { name: string }[];
    expect(listed.filter(({ name }) => name === 'Twice')).toHaveLength(1);
    const token = String(body['token']);
    expect((await gateway.request('GET', '/auth/me', { key: token })).status).toBe(200);
    for (const name of await readdir(gateway.dataFolder))
      if (name.startsWith('faxdesk.sqlite'))
        expect((await readFile(join(gateway.dataFolder, name), 'latin1')).includes(token)).toBe(false);
  });

  test('is refused with other content, another address or a key of another form', async () => {
    const fax = await gateway.send();
    const idempotencyKey = newKey();
    const path = `/fax/${fax.id}/cancel`;
    await change(path, { delivery_version: fax.delivery_version }, { idempotencyKey });
    for (const [other, json] of [
      [path, { delivery_version: fax.delivery_version + 1 }],
      [`/fax/${fax.id}/release`, { delivery_version: fax.delivery_version }],
    ] as const)
      expect(await change(other, json, { idempotencyKey })).toMatchObject({
        status: 409,
        code: 'idempotency_key_reused',
      });
    const long = { idempotencyKey: 'x'.repeat(129) };
    expect(await change(path, { delivery_version: 1 }, long)).toMatchObject({
      status: 400,
      code: 'invalid_idempotency_key',
    });
  });

  test('that was refused did nothing, and is carried out when it comes again', async () => {
    const fax = await gateway.send();
    const idempotencyKey = newKey();
    const path = `/fax/${fax.id}/cancel`;
    expect(await change(path, { delivery_version: 99 }, { idempotencyKey })).toMatchObject({ status: 409 });
    const json = { delivery_version: fax.delivery_version };
    expect(await change(path, json, { idempotencyKey })).toMatchObject({ status: 200, replayed: null });
  });

  test('of another API key is another change', async () => {
    const fax = await gateway.send();
    const options = { idempotencyKey: newKey() };
    const json = { delivery_version: fax.delivery_version };
    expect((await change(`/fax/${fax.id}/cancel`, json, options)).status).toBe(200);
    const key = await keyWith(gateway, 'fax:send', 'fax:read');
    expect((await change(`/fax/${fax.id}/cancel`, json, { ...options, key })).code).toBe('stale');
  });

  test('waits for the answer of the first while that is under way', async () => {
    const fax = await gateway.send();
    const options = { idempotencyKey: newKey() };
    const json = { delivery_version: fax.delivery_version };
    const answers = await Promise.all([1, 2, 3].map(() => change(`/fax/${fax.id}/cancel`, json, options)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map(({ replayed }) => replayed ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([
      '',
      'true',
      'true',
    ]);
    expect((await gateway.history(fax.id)).filter(({ kind }) => kind === 'cancelled')).toHaveLength(1);
  });

  test('gets the first answer after a restart, and is a new change a day later', async () => {
    const options = { idempotencyKey: newKey() };
    const json = { name: 'Practice', fax_number: '+12025550166' };
    const first = await change('/contacts', json, options);
    gateway.clock.advance(23 * HOURS);
    office = await office.restart();
    gateway = office.inbound.gateway;
    expect(await change('/contacts', json, options)).toEqual({ ...first, replayed: 'true' });
    gateway.clock.advance(2 * HOURS);
    expect((await change('/contacts', json, options)).replayed).toBeNull();
  });

  test('that makes a fax is marked as well, and the fax is found by its key', async () => {
    const key = newKey();
    const form = async () => {
      const response = await gateway.sendForm(
        { to: '+12025550123' },
        [new File(['One page'], 'page.txt', { type: 'text/plain' })],
        { 'Idempotency-Key': key },
      );
      return { fax: (await response.json()) as Fax, replayed: response.headers.get('Idempotency-Replayed') };
    };
    const first = await form();
    const again = await form();
    expect([first.replayed, again.replayed, again.fax.id]).toEqual([null, 'true', first.fax.id]);
    const under = async (query: string, as?: string) => {
      const options = as === undefined ? {} : { key: as };
      const response = await gateway.request('GET', `/fax?idempotency_key=${query}`, options);
      return ((await response.json()) as { items: Fax[] }).items.map(({ id }) => id);
    };
    expect(await under(key)).toEqual([first.fax.id]);
    expect(await under('never-used')).toEqual([]);
    expect(await under(`${key}&ids=another`)).toEqual([]);
    expect(await under(key, await keyWith(gateway, 'fax:read'))).toEqual([]);
  });

  test('and every other change of a fax is found by its time', async () => {
    const old = await gateway.send();
    const other = await gateway.send();
    gateway.clock.advance(3 * HOURS);
    const since = new Date(gateway.clock.now()).toISOString();
    const changed = async (query = '') => {
      const response = await gateway.request('GET', `/fax?updated_since=${since}${query}`);
      return ((await response.json()) as { items: Fax[] }).items.map(({ id }) => id);
    };
    expect(await changed()).toEqual([]);
    await gateway.request('POST', `/fax/${old.id}/cancel`, {
      json: { delivery_version: old.delivery_version },
    });
    const added = await gateway.send();
    expect(await changed()).toEqual([added.id, old.id]);
    expect(await changed('&state=cancelled')).toEqual([old.id]);
    expect(await changed(`&ids=${other.id},${added.id}`)).toEqual([added.id]);
  });
});
