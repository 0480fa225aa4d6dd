import { scryptSync } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isoTime } from '../../server/platform/clock.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { addKey, addPerson } from './access-records.ts';
import { INSTALLATION_KEY, startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const SECRET = 'a-secret-of-forty-three-characters-at-least';

async function createKey(body: unknown, key = INSTALLATION_KEY) {
  const answer = await gateway.request('POST', '/admin/api-keys', { key, body });
  return { ...answer, id: answer.body.key_id as string, token: answer.body.token as string };
}

describe('API keys', () => {
  it('shows the token once and stores only its hash', async () => {
    const made = await createKey({ name: 'Scanner', scopes: ['fax:send'], note: 'n', owner: 'IT' });
    expect(made.status).toBe(200);
    expect(made.token).toMatch(new RegExp(`^key_live_${made.id}_[\\w-]{43}$`, 'u'));
    const listed = await gateway.request('GET', '/admin/api-keys', { key: INSTALLATION_KEY });
    expect(listed.body).toEqual([
      {
        key_id: made.id,
        name: 'Scanner',
        note: 'n',
        owner: 'IT',
        scopes: ['fax:send'],
        test: false,
        created_at: isoTime(gateway.clock.ms),
        expires_at: null,
        last_used_at: null,
        revoked_at: null,
      },
    ]);
    const row = await gateway.db.read.selectFrom('api_key').selectAll().executeTakeFirstOrThrow();
    expect(row.secret_hash).toBe(sha256Hex(made.token.split('_').slice(3).join('_')));
    const me = await gateway.request('GET', '/auth/me', { key: made.token });
    expect(me.body).toMatchObject({
      principal: { kind: 'integration', display_name: 'API key: Scanner' },
      source: 'key',
      permissions: ['fax:send'],
      session: null,
      csrf_token: null,
      can_enroll_owner: false,
      is_owner: false,
      grantable: { installation: [] },
    });
  });

  it('gives no scopes when none are named', async () => {
    for (const body of [{}, { scopes: null }, { scopes: [] }]) {
      const made = await createKey(body);
      expect(made.body.scopes).toEqual([]);
      expect((await gateway.request('POST', '/send', { key: made.token })).status).toBe(403);
    }
    expect((await createKey({ scopes: ['*'] })).status).toBe(422);
    expect((await createKey({ scopes: ['host:actions'] })).status).toBe(422);
  });

  it('answers 401 without a credential, 401 with a wrong one and 403 with one that may not', async () => {
    const made = await createKey({ scopes: ['fax:read'] });
    expect((await gateway.request('GET', '/admin/api-keys')).status).toBe(401);
    expect((await gateway.request('GET', '/admin/api-keys', { key: 'nonsense' })).status).toBe(401);
    const wrong = `${made.token.slice(0, -4)}AAAA`;
    expect((await gateway.request('GET', '/auth/me', { key: wrong })).status).toBe(401);
    expect((await gateway.request('GET', '/auth/me', { key: `key_live_none_${SECRET}` })).status).toBe(401);
    expect((await gateway.request('GET', '/admin/api-keys', { key: made.token })).status).toBe(403);
  });

  it('rejects a key the moment it expires', async () => {
    expect((await createKey({ expires_at: '2020-01-01T00:00:00Z' })).status).toBe(400);
    const made = await createKey({ expires_at: '2026-10-05T12:00:00+02:00' });
    expect(made.body.expires_at).toBe('2026-10-05T10:00:00.000Z');
    gateway.clock.ms = Date.UTC(2026, 9, 5, 10) - 1;
    expect((await gateway.request('GET', '/auth/me', { key: made.token })).status).toBe(200);
    gateway.clock.ms += 1;
    const late = await gateway.request('GET', '/auth/me', { key: made.token });
    expect(late).toMatchObject({ status: 401, body: { detail: 'That API key has expired.' } });
    const rotated = await gateway.request('POST', `/admin/api-keys/${made.id}/rotate`, {
      key: INSTALLATION_KEY,
    });
    expect(rotated.status).toBe(409);
  });

  it('ends a revoked key with the answer of the revocation, for good', async () => {
    const made = await createKey({});
    expect((await gateway.request('GET', '/auth/me', { key: made.token })).status).toBe(200);
    const revoke = () => gateway.request('DELETE', `/admin/api-keys/${made.id}`, { key: INSTALLATION_KEY });
    expect(await revoke()).toMatchObject({ status: 200, body: { status: 'ok' } });
    expect((await gateway.request('GET', '/auth/me', { key: made.token })).status).toBe(401);
    expect((await revoke()).status).toBe(200);
    const listed = await gateway.request('GET', '/admin/api-keys', { key: INSTALLATION_KEY });
    expect(listed.body[0].revoked_at).toBe(isoTime(gateway.clock.ms));
    expect(
      (await gateway.request('POST', `/admin/api-keys/${made.id}/rotate`, { key: INSTALLATION_KEY })).status,
    ).toBe(409);
    expect(
      (await gateway.request('DELETE', '/admin/api-keys/unknown', { key: INSTALLATION_KEY })).status,
    ).toBe(404);
  });

  it('rotates: the new token works, the old one no longer', async () => {
    const made = await createKey({});
    await gateway.request('GET', '/auth/me', { key: made.token });
    const rotated = await gateway.request('POST', `/admin/api-keys/${made.id}/rotate`, {
      key: INSTALLATION_KEY,
    });
    expect(Object.keys(rotated.body)).toEqual(['key_id', 'token']);
    expect((await gateway.request('GET', '/auth/me', { key: made.token })).status).toBe(401);
    expect((await gateway.request('GET', '/auth/me', { key: rotated.body.token })).status).toBe(200);
  });

  it('lets nobody put on a key, take over by rotation, or revoke what they may not do', async () => {
    const manager = await createKey({ scopes: ['keys:manage', 'fax:read'] });
    expect((await createKey({ scopes: ['fax:send'] }, manager.token)).status).toBe(403);
    const lesser = await createKey({ scopes: ['fax:read'] }, manager.token);
    expect(lesser.status).toBe(200);
    const strong = await createKey({ scopes: ['settings:write'] });
    const rotate = (id: string) =>
      gateway.request('POST', `/admin/api-keys/${id}/rotate`, { key: manager.token });
    expect((await rotate(strong.id)).status).toBe(403);
    expect((await rotate(lesser.id)).status).toBe(200);
    const revoke = (id: string) => gateway.request('DELETE', `/admin/api-keys/${id}`, { key: manager.token });
    expect((await revoke(strong.id)).status).toBe(403);
    expect((await revoke(lesser.id)).status).toBe(200);
  });

  it('writes the last use at most once a minute and never lets it fail a request', async () => {
    const made = await createKey({});
    const used = async () => {
      await gateway.access.stop();
      return (await gateway.access.service.keys.list())[0]?.lastUsedAt;
    };
    await gateway.request('GET', '/auth/me', { key: made.token });
    const first = isoTime(gateway.clock.ms);
    expect(await used()).toBe(first);
    gateway.clock.ms += 59_000;
    await gateway.request('GET', '/auth/me', { key: made.token });
    expect(await used()).toBe(first);
    gateway.clock.ms += 1000;
    await gateway.request('GET', '/auth/me', { key: made.token });
    expect(await used()).toBe(isoTime(gateway.clock.ms));
    const transaction = gateway.db.transaction;
    gateway.db.transaction = () => Promise.reject(new Error('the disk is full'));
    gateway.clock.ms += 60_000;
    expect((await gateway.request('GET', '/auth/me', { key: made.token })).status).toBe(200);
    await gateway.access.stop();
    gateway.db.transaction = transaction;
    expect(gateway.logged.some((line) => line.includes('last use of a credential'))).toBe(true);
  });

  it('takes over a key with a scrypt hash and re-hashes it at first use', async () => {
    const person = await addPerson(gateway, { login: 'old', permissions: ['fax:send'] });
    const salt = Buffer.from('sixteen bytes ok');
    const hash = scryptSync(SECRET, salt, 32, { cost: 1024, blockSize: 8, parallelization: 1 });
    const secretHash = `scrypt$1024$8$1$${salt.toString('base64')}$${hash.toString('base64')}`;
    const ceiling: [string, string][] = [['fax:send', 'installation']];
    const keyId = await addKey(gateway, { principalId: person.id, ceiling, secretHash, hashKind: 'scrypt' });
    expect(
      (await gateway.request('GET', '/auth/me', { key: `key_live_${keyId}_wrong-${SECRET}` })).status,
    ).toBe(401);
    expect((await gateway.request('POST', '/send', { key: `key_live_${keyId}_${SECRET}` })).status).toBe(200);
    await gateway.access.stop();
    const row = await gateway.db.read.selectFrom('api_key').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({ hash_kind: 'sha256', secret_hash: sha256Hex(SECRET) });
    gateway.clock.ms += 250;
    expect((await gateway.request('POST', '/send', { key: `key_live_${keyId}_${SECRET}` })).status).toBe(200);
  });

  it('keeps an unrestricted key of an earlier release unusable', async () => {
    const person = await addPerson(gateway, { login: 'old', permissions: ['fax:send'] });
    const keyId = await addKey(gateway, {
      principalId: person.id,
      ceiling: [['*', 'installation']],
      secretHash: sha256Hex(SECRET),
      state: 'review',
    });
    const answer = await gateway.request('GET', '/auth/me', { key: `key_live_${keyId}_${SECRET}` });
    expect(answer.status).toBe(401);
    expect(answer.body.detail).toContain('works once someone who manages API keys approves it');
    const listed = await gateway.request('GET', '/admin/api-keys', { key: INSTALLATION_KEY });
    expect(listed.body[0].scopes).toEqual(['*']);
    expect(
      (await gateway.request('POST', `/admin/api-keys/${keyId}/rotate`, { key: INSTALLATION_KEY })).status,
    ).toBe(409);
  });
});
