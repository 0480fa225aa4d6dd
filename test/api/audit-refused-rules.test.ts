import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '../../server/platform/ids.ts';
import { AccessClient, addMailbox, person } from './access-changes.ts';
import { addPerson, GOOD_PASSWORD } from './access-records.ts';
import { INSTALLATION_KEY, sessionOf, signIn, startGateway, type TestGateway } from './access-setup.ts';

let gateway: TestGateway;
let owner: AccessClient;
beforeEach(async () => {
  gateway = await startGateway();
  owner = new AccessClient(gateway);
});
afterEach(() => gateway.stop());

/** Lists the refused operations, oldest first. */
const refused = async () =>
  (await gateway.events())
    .filter(({ outcome }) => outcome === 'refused')
    .toReversed()
    .map(({ actor, operation, target, details, count }) => [
      actor.name,
      operation,
      target.id,
      details['reason'],
      count,
    ]);

describe('what a rule refuses is in the audit', () => {
  it('though nothing of the change is kept: the last owner, a giver who has less, a stale version', async () => {
    const anna = await addPerson(gateway, { login: 'anna' });
    const role = (await owner.get('/access/roles/role_owner')).body.role;
    const given = await owner.assign({ kind: 'principal', id: anna.id, version: 1 }, role);
    const before = await owner.policy();
    const last = await owner.send('POST', `/access/assignments/${given.id}/remove`, {
      version: given.version,
    });
    expect([last.status, last.headers.get('x-error-code')]).toEqual([409, 'last_owner']);
    expect(await owner.policy()).toBe(before);

    const ben = await person(gateway, { login: 'ben', permissions: ['roles:manage', 'roles:read'] });
    const more = await owner
      .as(ben)
      .send('POST', '/access/roles', { name: 'All', permissions: ['fax:send'] });
    expect([more.status, more.headers.get('x-error-code')]).toEqual([403, 'grant_exceeds_giver']);

    await addMailbox(gateway, 'one');
    const stale = await owner.send('PATCH', '/access/mailboxes/one', { version: 7, label: 'Other' });
    expect(stale.status).toBe(409);
    expect(await refused()).toEqual([
      ['Installation key', 'assignment.remove', given.id, 'last_owner', 1],
      ['ben', 'role.create', null, 'grant_exceeds_giver', 1],
      ['Installation key', 'mailbox.change', 'one', 'stale', 1],
    ]);
  });

  it('and a wrong current password, a missing token and a page of somebody else, with whose session it is', async () => {
    await addPerson(gateway, { login: 'anna' });
    const { cookie, csrf } = await sessionOf(gateway, await signIn(gateway, 'anna', GOOD_PASSWORD));
    const ask = (more: object) =>
      gateway.request('POST', '/auth/password', {
        cookie,
        csrf,
        origin: gateway.origin,
        body: { current_password: 'not my password', password: 'eight brown horses' },
        ...more,
      });
    const codes = [
      await ask({}),
      await ask({ csrf: 'wrong' }),
      await ask({ origin: 'https://evil.example' }),
    ];
    expect(codes.map(({ status }) => status)).toEqual([expect.any(Number), 403, 403]);
    const reasons = codes.map(({ headers }) => headers.get('x-error-code'));
    expect(reasons).toEqual(['wrong_password', 'wrong_csrf_token', 'origin_refused']);
    const events = (await gateway.events()).filter(({ outcome }) => outcome === 'refused').toReversed();
    expect(events.map(({ actor, details }) => [actor.name, details['reason']])).toEqual(
      reasons.map((reason) => ['anna', reason]),
    );
    expect(JSON.stringify(events)).not.toMatch(/not my|horses/u);
  });

  it('but not unreadable requests, nor those of unknown callers', async () => {
    expect((await owner.send('POST', '/access/roles', { nonsense: true })).status).toBe(400);
    expect((await gateway.request('POST', '/access/roles', { body: {} })).status).toBe(401);
    expect(await refused()).toEqual([]);
  });
});

describe('many refusals', () => {
  it('are one record for the same within an hour, and name 20 things at most', async () => {
    const ben = await person(gateway, { login: 'ben' });
    const change = (id: string) => owner.as(ben).send('PATCH', `/access/users/${id}`, { version: 1 });
    const ids = Array.from({ length: 25 }, () => newId());
    for (const id of ids) expect((await change(id)).status).toBe(403);
    expect((await change(ids[0] ?? '')).status).toBe(403);
    expect((await change(`key_live_${newId()}_a-secret-of-somebody`)).status).toBe(403);
    const records = await refused();
    expect(records).toEqual([
      ['ben', 'user.change', ids[0], 'not_allowed', 2],
      ...ids.slice(1, 20).map((id) => ['ben', 'user.change', id, 'not_allowed', 1]),
      ['ben', 'user.change', null, 'not_allowed', 6],
    ]);
    gateway.clock.ms += 3_600_000;
    await change(ids[24] ?? '');
    expect((await refused()).at(-1)).toEqual(['ben', 'user.change', ids[24], 'not_allowed', 1]);
  });

  it('are refusals also while none can be recorded', async () => {
    const ben = await person(gateway, { login: 'ben' });
    const { schema } = gateway.db.unrestricted;
    await schema.alterTable('security_event').renameTo('away').execute();
    const change = await gateway.request('DELETE', '/admin/api-keys/some', { key: ben.key });
    expect([change.status, change.headers.get('x-error-code')]).toEqual([403, 'not_allowed']);
    await schema.alterTable('away').renameTo('security_event').execute();
    expect(await refused()).toEqual([['ben', 'key.revoke', 'some', 'not_allowed', 1]]);
    expect((await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY })).status).toBe(200);
  });
});
