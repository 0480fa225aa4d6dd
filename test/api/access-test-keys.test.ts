import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_PERMISSIONS, TEST_KEY_PERMISSIONS } from '../../shared/permissions.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { createKey, read } from '../setup/test-keys.ts';

type Key = { key_id: string; name: string | null; test: boolean; version: number };

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

const post = async (path: string, json: object) => {
  const response = await gateway.request('POST', path, { json });
  return {
    status: response.status,
    code: response.headers.get('x-error-code'),
    body: (await response.json()) as Record<string, unknown>,
  };
};
const keys = () => read<{ items: Key[]; policy_version: number }>(gateway, '/access/keys');
const keyIdOf = (token: string) => token.split('_')[2] ?? '';

describe('a test key', () => {
  test('says so in its secret, in the lists and to itself', async () => {
    const token = await createKey(gateway, { test: true, scopes: ['fax:send', 'fax:read'] });
    const live = await createKey(gateway, { test: false, scopes: ['fax:send', 'fax:read'] });
    expect(token).toMatch(/^key_test_[A-Za-z0-9]+_[\w-]{43}$/u);
    expect(live).toMatch(/^key_live_/u);
    const { items } = await keys();
    const isTest = (of: string) => items.find(({ key_id }) => key_id === keyIdOf(of))?.test;
    expect([isTest(token), isTest(live)]).toEqual([true, false]);
    const older = await read<Key[]>(gateway, '/admin/api-keys');
    expect(older.find(({ key_id }) => key_id === keyIdOf(token))?.test).toBe(true);
    expect(await read(gateway, '/auth/me', token)).toMatchObject({ test: true });
    expect(await read(gateway, '/auth/me', live)).not.toHaveProperty('test');
  });

  test('rule (access): a test key stays one, and a secret is good under its own name only', async () => {
    const token = await createKey(gateway, { test: true, scopes: ['fax:read'] });
    const renamed = token.replace('key_test_', 'key_live_');
    expect((await gateway.request('GET', '/auth/me', { key: renamed })).status).toBe(401);
    const live = await createKey(gateway, { test: false, scopes: ['fax:read'] });
    const pretended = live.replace('key_live_', 'key_test_');
    expect((await gateway.request('GET', '/auth/me', { key: pretended })).status).toBe(401);

    const { items, policy_version } = await keys();
    const key = items.find(({ key_id }) => key_id === keyIdOf(token));
    const versions = { version: key?.version, expected_policy_version: policy_version };
    const changed = await gateway.request('PATCH', `/access/keys/${key?.key_id}`, {
      json: { ...versions, test: false },
    });
    expect(changed.status).toBe(400);
    const replaced = await post(`/access/keys/${key?.key_id}/replace`, versions);
    expect(replaced.body['token']).toMatch(/^key_test_/u);
    expect(replaced.body['key']).toMatchObject({ test: true });
    const rotated = await post(`/admin/api-keys/${key?.key_id}/rotate`, {});
    expect(rotated.body['token']).toMatch(/^key_test_/u);
    const me = await read(gateway, '/auth/me', String(rotated.body['token']));
    expect(me).toMatchObject({ test: true, permissions: ['fax:read'] });
  });

  test('rule (access): a test key has permissions for faxes only', async () => {
    for (const permission of ALL_PERMISSIONS) {
      const { status, code } = await post('/admin/api-keys', { name: 'T', scopes: [permission], test: true });
      const isAllowed = TEST_KEY_PERMISSIONS.includes(permission);
      expect([permission, status, code]).toEqual(
        isAllowed ? [permission, 200, null] : [permission, 400, 'test_key_permission'],
      );
    }
    const token = await createKey(gateway, { test: true, scopes: ['fax:read'] });
    const { items, policy_version } = await keys();
    const { key_id, version } = items.find((each) => each.key_id === keyIdOf(token)) as Key;
    const change = (permission: string) =>
      gateway.request('PATCH', `/access/keys/${key_id}`, {
        json: {
          version,
          expected_policy_version: policy_version,
          ceiling: [{ permission, resource_id: 'installation' }],
        },
      });
    expect((await change('settings:write')).status).toBe(400);
    expect((await change('fax:send')).status).toBe(200);
  });

  test('opens no screen', async () => {
    const key = await createKey(gateway, { test: true });
    const login = await gateway.request('POST', '/auth/key-login', {
      key: null,
      json: { api_key: key },
      headers: { Origin: gateway.url },
    });
    expect([login.status, login.headers.get('x-error-code')]).toEqual([403, 'test_key_signs_in']);
  });

  test('rule (crossings): the security audit records that a key is a test key', async () => {
    const token = await createKey(gateway, { test: true });
    const { items } = await read<{
      items: { operation: string; target: { id: string | null }; details: Record<string, unknown> }[];
    }>(gateway, '/access/audit?operation=key.create');
    const made = items.find(({ target }) => target.id === keyIdOf(token));
    expect(made?.details).toMatchObject({ test: true });
  });
});
