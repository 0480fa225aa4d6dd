import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { epochOf, isoTime } from '../../server/platform/clock.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { newId } from '../../server/platform/ids.ts';
import { addKey, addPerson, assign, changeFromOutside } from './access-records.ts';
import { INSTALLATION_KEY, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

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

describe('what a caller may do', () => {
  async function keyOf(principalId: string, ceiling: [string, string][]) {
    const keyId = await addKey(gateway, { principalId, ceiling, secretHash: sha256Hex(SECRET) });
    return `key_live_${keyId}_${SECRET}`;
  }

  it('is what the owner may do and the ceiling names, looked at on every request', async () => {
    const person = await addPerson(gateway, { login: 'ann', permissions: ['fax:send', 'inbound:list'] });
    const key = await keyOf(person.id, [
      ['fax:send', 'installation'],
      ['fax:read', 'installation'],
      ['inbound:list', 'mailbox:one'],
    ]);
    const look = async () => (await gateway.request('GET', '/look', { key })).body;
    expect(await look()).toEqual({
      installation: ['fax:send'],
      mailbox: ['inbound:list'],
      anywhere: ['inbound:list', 'fax:send'],
    });
    await changeFromOutside(gateway, (tx) =>
      tx
        .deleteFrom('role_permission')
        .where('permission', '=', 'fax:send')
        .where('role_id', '=', person.roleId)
        .execute(),
    );
    expect(await look()).toMatchObject({ installation: [], anywhere: ['inbound:list'] });
  });

  it.each([
    ['a mailbox, on one of its documents', 'mailbox:one', 'inbound:fax-in-one', true],
    ['a document, in its mailbox', 'inbound:fax-in-one', 'mailbox:one', true],
    ['a document, on it', 'inbound:fax-in-one', 'inbound:fax-in-one', true],
    ['another mailbox, on a document', 'mailbox:two', 'inbound:fax-in-one', false],
    ['another document, in a mailbox', 'inbound:fax-in-none', 'mailbox:one', false],
  ])('is what a key allows of what is held on %s', async (_words, resourceId, limit, opens) => {
    const person = await addPerson(gateway, { login: 'ann', permissions: ['inbound:list'], resourceId });
    const key = await keyOf(person.id, [['inbound:list', limit]]);
    const seen = (await gateway.request('GET', '/look', { key })).body;
    expect(seen.anywhere).toEqual(opens ? ['inbound:list'] : []);
    expect(seen.mailbox).toEqual([]);
  });

  it('covers with a mailbox grant the mailbox and nothing else', async () => {
    const permissions = ['inbound:list', 'fax:send'];
    const person = await addPerson(gateway, { login: 'ben', permissions, resourceId: 'mailbox:one' });
    const key = await keyOf(person.id, [
      ['inbound:list', 'installation'],
      ['fax:send', 'mailbox:two'],
    ]);
    expect((await gateway.request('GET', '/look', { key })).body).toEqual({
      installation: [],
      mailbox: ['inbound:list'],
      anywhere: ['inbound:list'],
    });
    expect((await gateway.request('POST', '/send', { key })).status).toBe(403);
  });

  it('comes through enabled groups and enabled roles to enabled people only', async () => {
    const person = await addPerson(gateway, { login: 'cat' });
    const key = await keyOf(person.id, [['fax:send', 'installation']]);
    const at = isoTime(gateway.clock.ms);
    const groupId = newId();
    const stamps = { version: 1, created_at: at, updated_at: at };
    await changeFromOutside(gateway, async (tx) => {
      const group = { id: groupId, name: 'Desk', description: '', enabled: 1 as const, ...stamps };
      await tx.insertInto('principal_group').values(group).execute();
      const member = { id: newId(), group_id: groupId, principal_id: person.id, version: 1, created_at: at };
      await tx.insertInto('group_member').values(member).execute();
      await tx
        .insertInto('role_permission')
        .values({ role_id: person.roleId, permission: 'fax:send' })
        .execute();
      await tx.deleteFrom('assignment').where('subject_id', '=', person.id).execute();
      await assign(tx, { kind: 'group', id: groupId }, person.roleId, 'installation', at);
    });
    const send = async () => (await gateway.request('POST', '/send', { key })).status;
    const set = (table: 'principal_group' | 'role' | 'principal', id: string, enabled: 0 | 1) =>
      changeFromOutside(gateway, (tx) =>
        tx.updateTable(table).set({ enabled }).where('id', '=', id).execute(),
      );
    expect(await send()).toBe(200);
    await set('principal_group', groupId, 0);
    expect(await send()).toBe(403);
    await set('principal_group', groupId, 1);
    await set('role', person.roleId, 0);
    expect(await send()).toBe(403);
    await set('role', person.roleId, 1);
    expect(await send()).toBe(200);
    await set('principal', person.id, 0);
    expect(await send()).toBe(401);
  });

  it('changes within 250 ms when another process changed it', async () => {
    const made = await createKey({});
    const other = await startGateway({ beside: gateway });
    try {
      expect((await other.request('GET', '/auth/me', { key: made.token })).status).toBe(200);
      await gateway.request('DELETE', `/admin/api-keys/${made.id}`, { key: INSTALLATION_KEY });
      gateway.clock.ms += 250;
      expect((await other.request('GET', '/auth/me', { key: made.token })).status).toBe(401);
    } finally {
      await other.stop();
    }
  });

  it('finds the people who hold permissions on a document or its mailbox', async () => {
    const both = ['work:read', 'inbound:read'];
    const wide = await addPerson(gateway, { login: 'wide', permissions: both });
    const near = await addPerson(gateway, { login: 'near', permissions: both, resourceId: 'mailbox:one' });
    await addPerson(gateway, { login: 'far', permissions: both, resourceId: 'mailbox:two' });
    await addPerson(gateway, { login: 'half', permissions: ['work:read'] });
    await addPerson(gateway, { login: 'new', permissions: both, changeRequired: true });
    const { holders } = gateway.access.service;
    const found = await holders(gateway.db.read, ['work:read', 'inbound:read'], ['inbound:x', 'mailbox:one']);
    expect(found.map((person) => person.id)).toEqual([near.id, wide.id]);
  });
});

describe('the installation key', () => {
  it('may do what an owner may', async () => {
    const me = await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY });
    expect(me.body).toMatchObject({
      principal: { id: 'bootstrap', kind: 'bootstrap' },
      can_enroll_owner: true,
    });
    expect(me.body.permissions).toContain('host:terminal');
    expect(me.body.grantable.installation).toEqual(me.body.permissions);
    expect((await gateway.request('GET', '/auth/me', { key: `${INSTALLATION_KEY}x` })).status).toBe(401);
  });

  it('leaves a record of each route that it was used for, with how often within the hour', async () => {
    const uses = async () =>
      (await gateway.events())
        .filter(({ operation }) => operation === 'installation_key.use')
        .map(({ details, count, occurredAt, lastAt }) => [
          details['route'],
          count,
          epochOf(lastAt) - epochOf(occurredAt),
        ]);
    const key = INSTALLATION_KEY;
    await gateway.request('GET', '/auth/me', { key });
    await gateway.request('POST', '/admin/api-keys', { key, body: {} });
    gateway.clock.ms += 60_000;
    await gateway.request('GET', '/access/users/nobody', { key });
    await gateway.request('GET', '/access/users/somebody', { key });
    await gateway.request('GET', '/auth/me', { key });
    expect(await uses()).toEqual([
      ['GET /access/users/:id', 2, 0],
      ['POST /admin/api-keys', 1, 0],
      ['GET /auth/me', 2, 60_000],
    ]);
    gateway.clock.ms += 3_600_000;
    await gateway.request('GET', '/auth/me', { key });
    expect((await uses())[0]).toEqual(['GET /auth/me', 1, 0]);
  });

  it('does nothing whose first use in an hour cannot be recorded', async () => {
    const key = INSTALLATION_KEY;
    const { unrestricted: whole } = gateway.db;
    expect((await gateway.request('GET', '/auth/me', { key })).status).toBe(200);
    await whole.schema.alterTable('security_event').renameTo('away').execute();
    expect((await gateway.request('GET', '/auth/me', { key })).status).toBe(200);
    expect((await gateway.request('GET', '/access/users', { key })).status).toBe(500);
    await whole.schema.alterTable('away').renameTo('security_event').execute();
    expect((await gateway.request('GET', '/access/users', { key })).status).toBe(200);
    const used = (await gateway.events()).filter(({ details }) => details['route'] !== undefined);
    expect(used.map(({ details, count }) => [details['route'], count])).toEqual([
      ['GET /access/users', 1],
      ['GET /auth/me', 2],
    ]);
  });

  it('is not needed in development, where everybody may do everything', async () => {
    const open = await startGateway({ installationKey: null });
    const closed = await startGateway();
    try {
      expect((await open.request('POST', '/send')).status).toBe(200);
      expect((await open.request('GET', '/auth/me')).body.principal.kind).toBe('bootstrap');
      expect((await open.request('POST', '/send', { origin: 'https://evil.example' })).status).toBe(403);
      expect((await open.request('GET', '/auth/me', { cookie: 'faxdesk_local_session=old' })).status).toBe(
        200,
      );
      expect((await open.request('GET', '/auth/me', { key: 'nonsense' })).status).toBe(401);
      expect((await closed.request('GET', '/auth/me')).status).toBe(401);
    } finally {
      await open.stop();
      await closed.stop();
    }
  });
});

describe('the security audit', () => {
  it('records every change with its policy version, and no secret', async () => {
    const made = await createKey({ scopes: ['fax:send'] });
    const origin = gateway.origin;
    const begun = await gateway.request('POST', '/auth/key-login', { origin, body: { api_key: made.token } });
    const { cookie } = await sessionOf(gateway, begun);
    const rotated = await gateway.request('POST', `/admin/api-keys/${made.id}/rotate`, {
      key: INSTALLATION_KEY,
    });
    await gateway.request('DELETE', `/admin/api-keys/${made.id}`, { key: INSTALLATION_KEY });
    const events = await gateway.events();
    const operations = events.map((event) => event.operation);
    for (const operation of ['role.refresh', 'key.create', 'key.rotate', 'key.revoke', 'session.begin'])
      expect(operations).toContain(operation);
    const create = events.find((event) => event.operation === 'key.create');
    expect(create).toMatchObject({ actor: { id: 'bootstrap' }, target: { kind: 'api_key', id: made.id } });
    const text = JSON.stringify(events) + gateway.logged.join('\n');
    const secrets = [made.token, rotated.body.token, INSTALLATION_KEY, cookie.split('=')[1] ?? 'none'];
    for (const secret of secrets) expect(text).not.toContain(secret);
    for (const token of [made.token, rotated.body.token])
      expect(text).not.toContain(token.split('_').slice(3).join('_'));
  });
});
