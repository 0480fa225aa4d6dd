import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { addPerson, assign, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import {
  type Answer,
  INSTALLATION_KEY,
  sessionOf,
  signIn,
  startGateway,
  type TestGateway,
} from './access-setup.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const HOLDS_MORE =
  'That person has permissions that you do not have. Only someone with all of them can change this.';
const STALE = 'This changed in the meantime; reload and try again.';

const details = async (id: string) =>
  (await gateway.request('GET', `/access/users/${id}`, { key: INSTALLATION_KEY })).body;

/** Sends a change with the versions of now, or with those given. */
async function change(
  method: string,
  path: string,
  body: object = {},
  key = INSTALLATION_KEY,
): Promise<Answer> {
  const { user, policy_version } = await details(path.split('/')[3] ?? '');
  const read = { version: user.version, expected_policy_version: policy_version };
  return await gateway.request(method, path, { key, body: { ...read, ...body } });
}

const patch = (id: string, body: object, key?: string) => change('PATCH', `/access/users/${id}`, body, key);
const reset = (id: string, what: 'password' | 'two-factor', key?: string) =>
  change('POST', `/access/users/${id}/reset-${what}`, {}, key);

/** A key of an integration of its own. */
async function keyWith(...scopes: string[]): Promise<string> {
  const made = await gateway.request('POST', '/admin/api-keys', { key: INSTALLATION_KEY, body: { scopes } });
  return made.body.token;
}

async function signedIn(login: string): Promise<string> {
  return (await sessionOf(gateway, await signIn(gateway, login, GOOD_PASSWORD))).cookie;
}

const meWith = async (credential: { cookie?: string; key?: string }) =>
  (await gateway.request('GET', '/auth/me', credential)).status;

/** Returns the newest entry of an operation that succeeded, not one that was refused. */
async function newestEvent(operation: string) {
  return (await gateway.events()).find((event) => event.operation === operation && event.outcome === 'done');
}

describe('disabling', () => {
  it('ends the sessions and stops the keys at once; enabling brings back only the keys', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const cookie = await signedIn('ann');
    const off = await patch(ann.id, { enabled: false });
    expect(off.body.user).toMatchObject({ enabled: false, version: 2, last_seen_at: expect.any(String) });
    expect(await meWith({ cookie })).toBe(401);
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).status).toBe(401);
    expect(await newestEvent('user.change')).toMatchObject({
      actor: { id: 'bootstrap' },
      target: { kind: 'principal', id: ann.id },
      policyVersion: off.body.policy_version,
      details: { enabled: { from: true, to: false } },
    });
    expect((await patch(ann.id, { enabled: true })).status).toBe(200);
    expect(await meWith({ cookie })).toBe(401);
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).status).toBe(200);

    const made = await gateway.request('POST', '/admin/api-keys', {
      key: INSTALLATION_KEY,
      body: { scopes: ['fax:send'] },
    });
    const key = made.body.token;
    const { principal } = (await gateway.request('GET', '/auth/me', { key })).body;
    const path = `/access/integrations/${principal.id}`;
    expect((await change('PATCH', path, { enabled: false })).body.user.enabled).toBe(false);
    expect(await meWith({ key })).toBe(401);
    expect(await newestEvent('integration.change')).toMatchObject({ target: { id: principal.id } });
    expect((await change('PATCH', path, { enabled: true })).status).toBe(200);
    expect((await gateway.request('POST', '/send', { key })).status).toBe(200);
  });

  it('of the last owner is refused', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    await changeFromOutside(gateway, (tx) =>
      assign(tx, { kind: 'principal', id: ann.id }, 'role_owner', 'installation', ''),
    );
    const refused = await patch(ann.id, { enabled: false });
    expect([refused.status, refused.body]).toEqual([409, { detail: 'One enabled owner must remain.' }]);
    expect((await details(ann.id)).user).toMatchObject({ enabled: true, version: 1 });
  });
});

describe('a name', () => {
  it('can be changed, and a sign-in name works from then on', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    await addPerson(gateway, { login: 'bob' });
    const cookie = await signedIn('ann');
    const renamed = await patch(ann.id, { login: 'Ann.Lee', display_name: 'Ann Lee' });
    expect(renamed.body.user).toMatchObject({ login: 'ann.lee', display_name: 'Ann Lee', version: 2 });
    expect((await newestEvent('user.change'))?.details).toEqual({
      person: 'Ann Lee',
      login: { from: 'ann', to: 'ann.lee' },
      display_name: { from: 'ann', to: 'Ann Lee' },
    });
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).status).toBe(401);
    expect((await signIn(gateway, 'ann.lee', GOOD_PASSWORD)).status).toBe(200);
    const me = await gateway.request('GET', '/auth/me', { cookie });
    expect(me.body.principal.display_name).toBe('Ann Lee');
    const found = await gateway.request('GET', '/access/users?q=LEE', { key: INSTALLATION_KEY });
    expect(found.body.items).toHaveLength(1);
    const taken = await patch(ann.id, { login: 'BOB', display_name: 'Bob' });
    expect([taken.status, taken.body]).toEqual([409, { detail: 'That sign-in name is taken.' }]);
    expect((await details(ann.id)).user).toEqual(renamed.body.user);
  });

  it('is not changed by a stale version or policy version', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const { policy_version } = await details(ann.id);
    for (const stale of [{ version: 2 }, { expected_policy_version: policy_version - 1 }]) {
      const refused = await patch(ann.id, { display_name: 'Ann Lee', ...stale });
      expect([stale, refused.status, refused.body]).toEqual([stale, 409, { detail: STALE }]);
    }
    expect(await details(ann.id)).toMatchObject({
      user: { display_name: 'ann', version: 1 },
      policy_version,
    });
    expect(await newestEvent('user.change')).toBeUndefined();
  });
});

describe('two changes at once', () => {
  it('of what was read are one change', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const { policy_version } = await details(ann.id);
    const body = { version: 1, expected_policy_version: policy_version };
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        gateway.request('PATCH', `/access/users/${ann.id}`, {
          key: INSTALLATION_KEY,
          body: { ...body, display_name: `Ann ${n}` },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
    const done = answers.find((answer) => answer.status === 200);
    expect((await details(ann.id)).user).toEqual(done?.body.user);
  });
});

describe('a reset', () => {
  it('of a password ends the sessions and gives a temporary one', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const cookie = await signedIn('ann');
    const answer = await reset(ann.id, 'password');
    expect(answer.body).toMatchObject({ user: { password_change_required: true, version: 2 } });
    const { temporary_password } = answer.body;
    expect(await meWith({ cookie })).toBe(401);
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).status).toBe(401);
    const begun = await signIn(gateway, 'ann', temporary_password);
    expect(begun.body).toEqual({ ok: true, password_change_required: true });
    expect(await newestEvent('user.reset_password')).toMatchObject({
      target: { kind: 'principal', id: ann.id },
      details: { login: 'ann', person: 'ann' },
    });
    expect(JSON.stringify(await gateway.events()) + gateway.logged.join('')).not.toContain(
      temporary_password,
    );
  });

  it('gives a temporary password that opens nothing after 72 hours', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const { temporary_password } = (await reset(ann.id, 'password')).body;
    gateway.clock.ms += 72 * 3_600_000 - 1;
    expect((await signIn(gateway, 'ann', temporary_password)).status).toBe(200);
    gateway.clock.ms += 1;
    const late = await signIn(gateway, 'ann', temporary_password);
    expect([late.status, late.body.detail]).toEqual([401, ERRORS.temporary_password_ended.sentence]);
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).body.detail).toBe(ERRORS.wrong_sign_in.sentence);
  });

  it('of the second factor forgets its secret and recovery codes and ends the sessions', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const cookie = await signedIn('ann');
    const factor = { totp_secret: 'sealed', totp_pending: 'sealed', totp_last_step: 7 };
    await changeFromOutside(gateway, async (tx) => {
      await tx.updateTable('principal').set(factor).where('id', '=', ann.id).execute();
      await tx
        .insertInto('recovery_code')
        .values({ principal_id: ann.id, code_hash: 'hash', used_at: null })
        .execute();
    });
    expect((await details(ann.id)).user.two_factor).toBe(true);
    const answer = await reset(ann.id, 'two-factor');
    expect(answer.body.user).toMatchObject({ two_factor: false, version: 2 });
    expect(await meWith({ cookie })).toBe(401);
    const row = await gateway.db.read
      .selectFrom('principal')
      .selectAll()
      .where('id', '=', ann.id)
      .executeTakeFirst();
    expect(row).toMatchObject({ totp_secret: null, totp_pending: null, totp_last_step: null });
    expect(await gateway.db.read.selectFrom('recovery_code').selectAll().execute()).toEqual([]);
    expect((await newestEvent('user.reset_two_factor'))?.details).toEqual({
      login: 'ann',
      person: 'ann',
      was_on: true,
    });
  });
});

describe('whoever may do less than a person', () => {
  it('changes nothing about them, and neither disables nor enables them', async () => {
    const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const manager = await keyWith('users:manage', 'users:read');
    const before = await details(ann.id);
    const cookie = await signedIn('ann');
    const refusals = [
      await patch(ann.id, { login: 'anna' }, manager),
      await patch(ann.id, { display_name: 'Anna' }, manager),
      await patch(ann.id, { enabled: false }, manager),
      await reset(ann.id, 'password', manager),
      await reset(ann.id, 'two-factor', manager),
    ];
    for (const refused of refusals)
      expect([refused.status, refused.body]).toEqual([403, { detail: HOLDS_MORE }]);
    expect((await details(ann.id)).policy_version).toBe(before.policy_version);
    expect(await meWith({ cookie })).toBe(200);
    const off = await patch(ann.id, { enabled: false, display_name: 'Ann', login: 'ANN' });
    expect(off.status).toBe(200);
    // Disabled they hold nothing now, but will again.
    for (const refused of [
      await patch(ann.id, { enabled: true }, manager),
      await patch(ann.id, { login: 'anna' }, manager),
      await reset(ann.id, 'password', manager),
    ])
      expect([refused.status, refused.body]).toEqual([403, { detail: HOLDS_MORE }]);
    expect((await details(ann.id)).user).toEqual(off.body.user);
    const equal = await keyWith('users:manage', 'fax:send');
    expect((await patch(ann.id, { enabled: true }, equal)).status).toBe(200);
    expect((await reset(ann.id, 'password', equal)).status).toBe(200);
  });

  it('counts what they hold on a mailbox, and through a group that is switched off', async () => {
    const near = await addPerson(gateway, {
      login: 'near',
      permissions: ['fax:read'],
      resourceId: 'mailbox:one',
    });
    const manager = await addPerson(gateway, { login: 'boss', permissions: ['users:manage', 'users:read'] });
    const { cookie, csrf } = await sessionOf(gateway, await signIn(gateway, 'boss', GOOD_PASSWORD));
    const resetAsBoss = async (id: string) => {
      const { user, policy_version } = await details(id);
      const body = { version: user.version, expected_policy_version: policy_version };
      const ask = { cookie, csrf, origin: gateway.origin, body };
      return (await gateway.request('POST', `/access/users/${id}/reset-password`, ask)).status;
    };
    expect(await resetAsBoss(near.id)).toBe(403);
    await changeFromOutside(gateway, (tx) =>
      assign(tx, { kind: 'principal', id: manager.id }, near.roleId, 'mailbox:one', ''),
    );
    expect(await resetAsBoss(near.id)).toBe(200);

    const member = await addPerson(gateway, { login: 'member' });
    await changeFromOutside(gateway, async (tx) => {
      const stamps = { version: 1, created_at: '', updated_at: '' };
      await tx
        .insertInto('principal_group')
        .values({ id: 'off', name: 'Owners', description: '', enabled: 0, ...stamps })
        .execute();
      await tx
        .insertInto('group_member')
        .values({ id: newId(), group_id: 'off', principal_id: member.id, version: 1, created_at: '' })
        .execute();
      await assign(tx, { kind: 'group', id: 'off' }, 'role_owner', 'installation', '');
    });
    expect((await details(member.id)).effective).toEqual([]);
    expect(await resetAsBoss(member.id)).toBe(403);
  });
});

describe('an integration', () => {
  it('has a name and can be disabled, and nothing else of a person', async () => {
    const expected_policy_version = (await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY })).body
      .policy_version;
    const made = await gateway.request('POST', '/access/integrations', {
      key: INSTALLATION_KEY,
      body: { display_name: 'Records', expected_policy_version },
    });
    const { user } = made.body;
    expect(user).toMatchObject({ kind: 'integration', login: null, password_change_required: false });
    expect(made.body.temporary_password).toBeUndefined();
    const detail = 'An integration has no sign-in name and no password; it signs in with API keys.';
    for (const refused of [
      await patch(user.id, { login: 'records' }),
      await reset(user.id, 'password'),
      await reset(user.id, 'two-factor'),
    ])
      expect([refused.status, refused.body]).toEqual([400, { detail }]);
    expect((await details(user.id)).user).toEqual(user);
    const renamed = await change('PATCH', `/access/integrations/${user.id}`, { display_name: 'Archive' });
    expect(renamed.body.user).toMatchObject({ display_name: 'Archive', version: 2 });
    expect((await patch(user.id, { display_name: 'Records' })).body.user.version).toBe(3);
  });

  it('is neither a person nor the installation key', async () => {
    const ann = await addPerson(gateway, { login: 'ann' });
    const asIntegration = await change('PATCH', `/access/integrations/${ann.id}`, { display_name: 'x' });
    expect([asIntegration.status, asIntegration.body.detail]).toEqual([
      404,
      'There is no such person or integration.',
    ]);
    const { policy_version } = await details(ann.id);
    const body = { version: 1, expected_policy_version: policy_version };
    const ask = (method: string, path: string, more = {}) =>
      gateway.request(method, path, { key: INSTALLATION_KEY, body: { ...body, ...more } });
    for (const [method, path, more] of [
      ['PATCH', '/access/users/bootstrap', { enabled: false }],
      ['PATCH', '/access/integrations/bootstrap', { display_name: 'x' }],
      ['POST', '/access/users/bootstrap/reset-password', {}],
    ] as const) {
      const refused = await ask(method, path, more);
      expect([refused.status, refused.body.detail]).toEqual([
        400,
        'The installation key cannot be changed here.',
      ]);
    }
    expect((await ask('POST', '/access/users/nobody/reset-password')).status).toBe(404);
  });
});
