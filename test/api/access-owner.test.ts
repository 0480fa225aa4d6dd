import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addPerson, changeFromOutside, GOOD_PASSWORD } from './access-records.ts';
import { INSTALLATION_KEY, sessionOf, signIn, startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway();
});

afterEach(async () => {
  await gateway.stop();
});

const me = (ask: object) => gateway.request('GET', '/auth/me', ask);

async function enroll(login = 'Olga@Example.org', key = INSTALLATION_KEY) {
  const version = (await me({ key })).body.policy_version;
  const body = { login, display_name: 'Olga', expected_policy_version: version };
  return await gateway.request('POST', '/auth/owner/enroll', { key, body });
}

describe('the first owner', () => {
  it('is enrolled once, with a temporary password that must be changed', async () => {
    const answer = await enroll();
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      first_owner: true,
      user: { kind: 'user', login: 'olga@example.org', display_name: 'Olga', password_change_required: true },
    });
    expect((await me({ key: INSTALLATION_KEY })).body.can_enroll_owner).toBe(false);
    expect((await enroll('another')).status).toBe(409);
    const temporary = answer.body.temporary_password;
    const begun = await signIn(gateway, 'olga@example.org', temporary);
    expect(begun.body.password_change_required).toBe(true);
    const session = await sessionOf(gateway, begun);
    const limited = await me(session);
    expect(limited.body).toMatchObject({ permissions: [], password_change_required: true, is_owner: true });
    expect((await gateway.request('POST', '/send', session)).status).toBe(403);
    const body = { current_password: temporary, password: GOOD_PASSWORD };
    expect((await gateway.request('POST', '/auth/password', { ...session, body })).status).toBe(200);
    const free = await me(session);
    expect(free.body).toMatchObject({ password_change_required: false, is_owner: true });
    expect(free.body.permissions).toContain('owner:recover');
    expect((await gateway.request('POST', '/send', session)).status).toBe(200);
    const text = JSON.stringify(await gateway.events()) + gateway.logged.join('');
    expect(text).not.toContain(temporary);
    expect(text).not.toContain(GOOD_PASSWORD);
  });

  it('needs the installation key and the present policy version', async () => {
    await addPerson(gateway, { login: 'ann', permissions: ['users:manage', 'grants:manage'] });
    const session = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const body = { login: 'olga', display_name: 'Olga', expected_policy_version: 1 };
    expect((await gateway.request('POST', '/auth/owner/enroll', { ...session, body })).status).toBe(403);
    expect((await gateway.request('POST', '/auth/owner/enroll', { body })).status).toBe(401);
    const stale = await gateway.request('POST', '/auth/owner/enroll', { key: INSTALLATION_KEY, body });
    expect(stale.status).toBe(409);
    expect((await enroll('ann')).body.detail).toBe('That sign-in name is taken.');
    expect((await enroll('bad name')).status).toBe(422);
  });

  it('can be enrolled again only when no enabled owner is left', async () => {
    const first = await enroll();
    await changeFromOutside(gateway, (tx) =>
      tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', first.body.user.id).execute(),
    );
    expect((await enroll('paul')).status).toBe(200);
  });

  it('is given another temporary password while none of their own was chosen', async () => {
    const lost = await enroll('olga');
    const early = await sessionOf(gateway, await signIn(gateway, 'olga', lost.body.temporary_password));
    const again = await enroll('Olga');
    expect(again.status).toBe(200);
    expect(again.body.user.id).toBe(lost.body.user.id);
    expect((await me(early)).status).toBe(401);
    expect((await signIn(gateway, 'olga', lost.body.temporary_password)).status).toBe(401);
    const temporary = again.body.temporary_password;
    const session = await sessionOf(gateway, await signIn(gateway, 'olga', temporary));
    const body = { current_password: temporary, password: GOOD_PASSWORD };
    expect((await gateway.request('POST', '/auth/password', { ...session, body })).status).toBe(200);
    expect((await enroll('olga')).body.detail).toBe('This installation already has an owner.');
    expect((await signIn(gateway, 'olga', GOOD_PASSWORD)).status).toBe(200);
  });

  it('is enrolled once even when two requests arrive at the same time', async () => {
    const version = (await me({ key: INSTALLATION_KEY })).body.policy_version;
    const ask = (login: string) => {
      const body = { login, display_name: login, expected_policy_version: version };
      return gateway.request('POST', '/auth/owner/enroll', { key: INSTALLATION_KEY, body });
    };
    const statuses = (await Promise.all([ask('one'), ask('two')])).map((answer) => answer.status);
    expect(new Set(statuses)).toEqual(new Set([200, 409]));
  });
});

describe('the own password', () => {
  it('is changed with the current one, and the other sessions end', async () => {
    await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
    const here = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const there = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const change = (current_password: string, password: string) =>
      gateway.request('POST', '/auth/password', { ...here, body: { current_password, password } });
    expect((await change('wrong', 'nine yellow ducks')).status).toBe(403);
    expect((await change(GOOD_PASSWORD, GOOD_PASSWORD)).status).toBe(400);
    expect((await change(GOOD_PASSWORD, 'short')).status).toBe(400);
    expect((await change(GOOD_PASSWORD, 'x'.repeat(1025))).status).toBe(400);
    expect((await change(GOOD_PASSWORD, 'Password1234')).body.detail).toContain('too easy');
    expect((await change(GOOD_PASSWORD, 'nine yellow ducks')).body).toEqual({
      ok: true,
      password_change_required: false,
    });
    expect((await me(here)).status).toBe(200);
    expect((await me(there)).status).toBe(401);
    expect((await signIn(gateway, 'ann', GOOD_PASSWORD)).status).toBe(401);
    expect((await signIn(gateway, 'ann', 'nine yellow ducks')).status).toBe(200);
  });

  it('cannot be guessed through a session, nor changed without a password session', async () => {
    await addPerson(gateway, { login: 'ann' });
    const session = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    const body = { current_password: 'wrong', password: 'nine yellow ducks' };
    const change = (who: object) => gateway.request('POST', '/auth/password', { ...who, body });
    for (let i = 0; i < 5; i += 1) expect((await change(session)).status).toBe(403);
    expect((await change(session)).status).toBe(429);
    expect((await change({ key: INSTALLATION_KEY })).status).toBe(403);
  });
});

describe('the console context', () => {
  it('returns to a caller only what fits their permissions', async () => {
    const all = await gateway.request('GET', '/auth/context', { key: INSTALLATION_KEY });
    expect(all.body).toMatchObject({
      active_revision_id: 'revision-1',
      generation: 3,
      navigation: { jobs: true, inbox: true, send: true, work: false },
      send: { max_file_size_mb: 25 },
      inbound_enabled: true,
      branding: { docs_base: '/docs', logo_path: '/admin/ui/logo.svg' },
      provider_view: { active_outbound: 'sip', active_inbound: 'sip' },
    });
    await addPerson(gateway, { login: 'ann', permissions: ['inbound:list'], resourceId: 'mailbox:one' });
    const session = await sessionOf(gateway, await signIn(gateway, 'ann', GOOD_PASSWORD));
    expect((await gateway.request('GET', '/auth/context', session)).body).toMatchObject({
      navigation: { jobs: false, inbox: true, send: false, work: false },
      send: null,
      inbound_enabled: true,
      provider_view: null,
    });
  });
});
