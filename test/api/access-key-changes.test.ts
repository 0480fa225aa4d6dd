import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { insertMailbox } from '../../server/features/access/store/mailboxes.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { ERRORS } from '../../shared/errors/all.ts';
import { addKey, addPerson, changeFromOutside } from './access-records.ts';
import { type Answer, INSTALLATION_KEY, sessionOf, startGateway, type TestGateway } from './access-setup.ts';

const HOUR = 3_600_000;
const SECRET = 'a-secret-of-forty-three-characters-at-least';
const READ = { permission: 'fax:read', resource_id: 'installation' };
const SEND = { permission: 'fax:send', resource_id: 'installation' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await gateway.stop();
});

const policy = async () =>
  (await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY })).body.policy_version as number;
const list = async (query = '') =>
  (await gateway.request('GET', `/access/keys${query}`, { key: INSTALLATION_KEY })).body;
const may = async (key: string) => (await gateway.request('GET', '/look', { key })).status;
const later = (ms: number) => isoTime(gateway.clock.ms + ms);

/** A change with the policy version of this moment unless the body names one. */
async function change(method: string, path: string, body: object, key = INSTALLATION_KEY): Promise<Answer> {
  const full = { expected_policy_version: await policy(), ...body };
  return await gateway.request(method, `/access/keys${path}`, { key, body: full });
}

const person = (login: string, permissions: string[]) => addPerson(gateway, { login, permissions });

async function make(id: string, body: object = {}, key?: string): Promise<Answer> {
  return await change('POST', '', { principal: { id, version: 1 }, ceiling: [READ], ...body }, key);
}

function refused(answer: Answer, status: number, detail: string): void {
  expect([answer.status, answer.body.detail]).toEqual([status, detail]);
}

describe('a key of a person', () => {
  it('may do what the person may and its ceiling names, and is listed with both', async () => {
    const ann = await person('ann', ['fax:read', 'fax:send']);
    const made = await make(ann.id, {
      name: 'Scanner',
      note: 'Room 2',
      expires_at: '2027-01-01T01:00:00+01:00',
    });
    expect(made.status).toBe(200);
    const { key, token } = made.body;
    expect((await gateway.request('GET', '/auth/me', { key: token })).body).toMatchObject({
      principal: { id: ann.id, kind: 'user' },
      permissions: ['fax:read'],
    });
    expect(key).toMatchObject({
      principal: { id: ann.id, kind: 'user', display_name: 'ann', enabled: true },
      name: 'Scanner',
      note: 'Room 2',
      owner: null,
      ceiling: [READ],
      state: 'active',
      version: 1,
      created_at: isoTime(gateway.clock.ms),
      expires_at: '2027-01-01T00:00:00.000Z',
    });
    const page = await list();
    expect(page).toMatchObject({ next_cursor: null, policy_version: made.body.policy_version });
    expect(page.items).toMatchObject([{ key_id: key.key_id, state: 'active' }]);
    expect(JSON.stringify(page)).not.toContain(token.split('_').slice(3).join('_'));
    const done = (await gateway.events()).find(({ operation }) => operation === 'key.create');
    expect(done).toMatchObject({
      operation: 'key.create',
      actor: { name: 'Installation key' },
      target: { kind: 'api_key', id: key.key_id },
      details: { principal_id: ann.id, name: 'Scanner', ceiling: ['fax:read on installation'] },
    });
  });

  it('is listed by whom it belongs to and by state, page by page', async () => {
    const ann = await person('ann', ['fax:read']);
    const ben = await person('ben', ['fax:read']);
    const ids: string[] = [];
    for (const who of [ann, ann, ben, ann, ann]) {
      ids.unshift((await make(who.id, { expires_at: later(HOUR) })).body.key.key_id);
      gateway.clock.ms += 1;
    }
    const [lasting = '', ended = '', ofBen = ''] = ids;
    await change('PATCH', `/${lasting}`, { version: 1, expires_at: null });
    await change('POST', `/${ended}/revoke`, { version: 1 });
    const waiting = await addKey(gateway, {
      principalId: ben.id,
      ceiling: [['*', 'installation']],
      secretHash: sha256Hex(SECRET),
      state: 'review',
    });
    gateway.clock.ms += HOUR;
    const found = async (query: string) =>
      (await list(query)).items.map((key: { key_id: string; state: string }) => [key.key_id, key.state]);
    expect(await found('?state=active')).toEqual([[lasting, 'active']]);
    expect(await found('?state=revoked')).toEqual([[ended, 'revoked']]);
    expect(await found('?state=review')).toEqual([[waiting, 'review']]);
    expect(await found(`?state=expired&principal_id=${ben.id}`)).toEqual([[ofBen, 'expired']]);
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await list(`?principal_id=${ann.id}&limit=1${cursor}`);
      seen.push(page.items[0].key_id);
      if (page.next_cursor === null) break;
      cursor = `&cursor=${page.next_cursor}`;
    }
    expect(seen).toEqual(ids.filter((id) => id !== ofBen));
    expect((await gateway.request('GET', '/access/keys?cursor=x', { key: INSTALLATION_KEY })).status).toBe(
      400,
    );
  });

  it('is made only for somebody there is, who is enabled and is the one that was read', async () => {
    const ann = await person('ann', ['fax:read']);
    refused(await make('nobody'), 404, ERRORS.no_such_person.sentence);
    refused(await make('bootstrap'), 404, ERRORS.no_such_person.sentence);
    refused(await make(ann.id, { principal: { id: ann.id, version: 2 } }), 409, ERRORS.stale.sentence);
    const stale = { expected_policy_version: (await policy()) - 1 };
    refused(await make(ann.id, stale), 409, ERRORS.stale.sentence);
    await changeFromOutside(gateway, (tx) =>
      tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', ann.id).execute(),
    );
    refused(await make(ann.id), 409, ERRORS.key_owner_disabled.sentence);
    expect((await list()).items).toEqual([]);
  });

  it('names permissions and resources that there are, each pair once, and ends in the future', async () => {
    const ann = await person('ann', ['fax:read']);
    const of = (permission: string, resource_id: string) => ({ permission, resource_id });
    const bad: [object, string][] = [
      [{ ceiling: [of('host:actions', 'installation')] }, ERRORS.no_such_permission.sentence],
      [{ ceiling: [of('*', 'installation')] }, ERRORS.no_such_permission.sentence],
      [{ ceiling: [of('toString', 'installation')] }, ERRORS.no_such_permission.sentence],
      [{ ceiling: [READ, SEND, READ] }, ERRORS.permission_repeated.sentence],
      [{ ceiling: [of('inbound:list', 'legacy')] }, ERRORS.no_mailbox_resource.sentence],
      [{ ceiling: [of('inbound:list', 'mailbox:none')] }, ERRORS.no_such_key_resource.sentence],
      [{ ceiling: [of('inbound:list', 'inbound:none')] }, ERRORS.no_such_key_resource.sentence],
      [{ ceiling: [of('inbound:list', 'printer:1')] }, ERRORS.no_such_key_resource.sentence],
      [{ expires_at: isoTime(gateway.clock.ms) }, ERRORS.expiry_past.sentence],
    ];
    for (const [body, sentence] of bad) refused(await make(ann.id, body), 400, sentence);
    expect((await list()).items).toEqual([]);
    await addMailbox('one');
    const made = await make(ann.id, {
      ceiling: [of('inbound:list', 'mailbox:one'), of('inbound:list', 'installation')],
    });
    expect(made.status).toBe(200);
  });
});

async function addMailbox(id: string): Promise<void> {
  const at = isoTime(gateway.clock.ms);
  const row = {
    id,
    label: id,
    enabled: 1,
    cover_id: null,
    version: 1,
    created_at: at,
    updated_at: at,
  } as const;
  await changeFromOutside(gateway, (tx) => insertMailbox(tx, row));
}

describe('what is changed of a key', () => {
  it('is its name, note, end and ceiling, at once and in the audit', async () => {
    const ann = await person('ann', ['fax:read', 'fax:send']);
    const { key, token } = (await make(ann.id, { name: 'Old', ceiling: [READ, SEND] })).body;
    const path = `/${key.key_id}`;
    const edit = { version: 1, name: 'New', ceiling: [READ], expires_at: later(HOUR) };
    const changed = await change('PATCH', path, edit);
    expect(changed.body.key).toMatchObject({ name: 'New', note: null, version: 2, ceiling: [READ] });
    expect((await gateway.request('POST', '/send', { key: token })).status).toBe(403);
    expect((await gateway.events())[0]).toMatchObject({
      operation: 'key.change',
      details: {
        name: { from: 'Old', to: 'New' },
        ceiling: { added: [], removed: ['fax:send on installation'] },
        expires_at: { from: null, to: later(HOUR) },
      },
    });
    refused(await change('PATCH', path, { version: 1, name: 'Lost' }), 409, ERRORS.stale.sentence);
    refused(
      await change('PATCH', path, { version: 2, name: 'Lost', expected_policy_version: 1 }),
      409,
      ERRORS.stale.sentence,
    );
    refused(
      await change('PATCH', path, { version: 2, expires_at: later(0) }),
      400,
      ERRORS.expiry_past.sentence,
    );
    refused(await change('PATCH', '/none', { version: 1, name: 'x' }), 404, ERRORS.no_such_key.sentence);
    expect((await list()).items[0]).toMatchObject({ name: 'New', version: 2 });
    gateway.clock.ms += HOUR;
    expect(await may(token)).toBe(401);
    const same = { version: 2, name: 'Kept', expires_at: edit.expires_at };
    expect((await change('PATCH', path, same)).body.key).toMatchObject({ name: 'Kept', state: 'expired' });
    expect((await change('PATCH', path, { version: 3, expires_at: null })).body.key.state).toBe('active');
    expect(await may(token)).toBe(200);
  });

  it('shortens the sessions that began with it', async () => {
    const ann = await person('ann', ['fax:read']);
    const { key, token } = (await make(ann.id)).body;
    const signedIn = await gateway.request('POST', '/auth/key-login', {
      origin: gateway.origin,
      body: { api_key: token },
    });
    const { cookie } = await sessionOf(gateway, signedIn);
    await change('PATCH', `/${key.key_id}`, { version: 1, expires_at: later(60_000) });
    expect((await gateway.request('GET', '/auth/me', { cookie })).body.session.expires_at).toBe(
      later(60_000),
    );
    gateway.clock.ms += 60_000;
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
  });
});

describe('another secret', () => {
  it('takes the place of the old one, whose sessions end', async () => {
    const ann = await person('ann', ['fax:read']);
    const { key, token } = (await make(ann.id)).body;
    const signedIn = await gateway.request('POST', '/auth/key-login', {
      origin: gateway.origin,
      body: { api_key: token },
    });
    const { cookie } = await sessionOf(gateway, signedIn);
    const rotated = await change('POST', `/${key.key_id}/rotate`, { version: 1 });
    expect(rotated.body.key).toMatchObject({ key_id: key.key_id, version: 2, state: 'active' });
    expect([await may(token), await may(rotated.body.token)]).toEqual([401, 200]);
    expect((await gateway.request('GET', '/auth/me', { cookie })).status).toBe(401);
    refused(await change('POST', `/${key.key_id}/rotate`, { version: 1 }), 409, ERRORS.stale.sentence);
    expect(await may(rotated.body.token)).toBe(200);
  });

  it('can stand beside the old one for a day, or as long as is said, never longer than before', async () => {
    const ann = await person('ann', ['fax:read']);
    const first = (await make(ann.id, { name: 'Lab', note: 'n' })).body;
    const replaced = await change('POST', `/${first.key.key_id}/replace`, { version: 1 });
    expect(replaced.body.key).toMatchObject({
      principal: { id: ann.id },
      name: 'Lab',
      note: 'n',
      ceiling: [READ],
      expires_at: null,
      version: 1,
    });
    expect(replaced.body.replaced).toMatchObject({
      key_id: first.key.key_id,
      version: 2,
      expires_at: later(24 * HOUR),
    });
    expect([await may(first.token), await may(replaced.body.token)]).toEqual([200, 200]);
    expect((await gateway.events())[0]).toMatchObject({
      operation: 'key.replace',
      target: { id: first.key.key_id },
      details: { name: 'Lab', replaced_by: replaced.body.key.key_id },
    });
    const again = async (version: number, body: object) =>
      (await change('POST', `/${first.key.key_id}/replace`, { version, ...body })).body;
    const sooner = await again(2, { old_expires_at: later(HOUR), expires_at: later(2 * HOUR) });
    expect([sooner.replaced.expires_at, sooner.key.expires_at]).toEqual([later(HOUR), later(2 * HOUR)]);
    expect((await again(3, { old_expires_at: later(5 * HOUR) })).replaced.expires_at).toBe(later(HOUR));
    expect((await again(4, { old_expires_at: later(-1) })).detail).toBe(ERRORS.expiry_past.sentence);
    const kept = await again(4, {});
    expect([kept.replaced.expires_at, kept.key.expires_at]).toEqual([later(HOUR), later(HOUR)]);
    expect((await again(5, { expires_at: null })).key.expires_at).toBeNull();
    gateway.clock.ms += HOUR;
    expect([await may(first.token), await may(replaced.body.token)]).toEqual([401, 200]);
    expect((await again(6, {})).detail).toBe(ERRORS.key_not_active.sentence);
    expect((await list()).items).toHaveLength(6);
  });

  it('is not given for a disabled person, and a revoked key stays revoked', async () => {
    const ann = await person('ann', ['fax:read']);
    const { key, token } = (await make(ann.id)).body;
    await changeFromOutside(gateway, (tx) =>
      tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', ann.id).execute(),
    );
    for (const act of ['rotate', 'replace'])
      refused(
        await change('POST', `/${key.key_id}/${act}`, { version: 1 }),
        409,
        ERRORS.key_owner_disabled.sentence,
      );
    const revoked = await change('POST', `/${key.key_id}/revoke`, { version: 1 });
    expect(revoked.body.key).toMatchObject({
      state: 'revoked',
      revoked_at: isoTime(gateway.clock.ms),
      version: 2,
    });
    refused(await change('POST', `/${key.key_id}/revoke`, { version: 2 }), 409, ERRORS.key_revoked.sentence);
    refused(
      await change('PATCH', `/${key.key_id}`, { version: 2, name: 'x' }),
      409,
      ERRORS.key_revoked.sentence,
    );
    for (const act of ['rotate', 'replace'])
      refused(
        await change('POST', `/${key.key_id}/${act}`, { version: 2 }),
        409,
        ERRORS.key_not_active.sentence,
      );
    expect(await may(token)).toBe(401);
  });
});

describe('a key of an earlier release', () => {
  it('is let in with a principal and a ceiling and keeps its secret', async () => {
    const ann = await person('ann', ['fax:read', 'fax:send']);
    const ben = await person('ben', ['fax:read']);
    const keyId = await addKey(gateway, {
      principalId: ann.id,
      ceiling: [['*', 'installation']],
      secretHash: sha256Hex(SECRET),
      state: 'review',
    });
    const token = `key_live_${keyId}_${SECRET}`;
    const as = { principal: { id: ben.id, version: 1 }, ceiling: [READ, SEND], version: 1 };
    const approve = (body: object) => change('POST', `/${keyId}/approve`, { ...as, ...body });
    refused(
      await change('PATCH', `/${keyId}`, { version: 1, ceiling: [READ] }),
      409,
      ERRORS.key_not_approved.sentence,
    );
    refused(await approve({ principal: { id: 'nobody', version: 1 } }), 404, ERRORS.no_such_person.sentence);
    refused(
      await approve({ ceiling: [{ ...READ, permission: '*' }] }),
      400,
      ERRORS.no_such_permission.sentence,
    );
    refused(await approve({ version: 2 }), 409, ERRORS.stale.sentence);
    expect(await may(token)).toBe(401);
    expect((await approve({})).body.key).toMatchObject({
      principal: { id: ben.id },
      state: 'active',
      version: 2,
    });
    expect((await gateway.request('GET', '/auth/me', { key: token })).body.permissions).toEqual(['fax:read']);
    refused(await approve({ version: 2 }), 409, ERRORS.key_not_waiting.sentence);
  });
});

describe('nobody', () => {
  const manager = async () => {
    const kim = await person('kim', ['keys:manage', 'fax:read']);
    const ceiling = [READ, { permission: 'keys:manage', resource_id: 'installation' }];
    return (await make(kim.id, { ceiling })).body.token as string;
  };

  it('puts on a key what they do not hold there, also when its principal may not do it yet', async () => {
    const key = await manager();
    const boss = await person('boss', ['fax:read', 'settings:write']);
    const idle = await person('idle', []);
    const settings = { permission: 'settings:write', resource_id: 'installation' };
    for (const who of [boss, idle])
      refused(await make(who.id, { ceiling: [READ, settings] }, key), 403, ERRORS.key_exceeds_maker.sentence);
    const weak = await make(boss.id, {}, key);
    expect(weak.status).toBe(200);
    const path = `/${weak.body.key.key_id}`;
    const widen = { version: 1, ceiling: [READ, settings] };
    refused(await change('PATCH', path, widen, key), 403, ERRORS.key_exceeds_maker.sentence);
    expect((await list(`?principal_id=${boss.id}`)).items).toMatchObject([{ version: 1, ceiling: [READ] }]);
    const waiting = await addKey(gateway, {
      principalId: idle.id,
      ceiling: [['*', 'installation']],
      secretHash: sha256Hex(SECRET),
      state: 'review',
    });
    const as = { version: 1, principal: { id: boss.id, version: 1 }, ceiling: [settings] };
    refused(await change('POST', `/${waiting}/approve`, as, key), 403, ERRORS.key_exceeds_maker.sentence);
  });

  it('is shown the secret of a key that may do more than they, or changes or revokes it', async () => {
    const key = await manager();
    const boss = await person('boss', ['fax:read', 'settings:write']);
    const settings = { permission: 'settings:write', resource_id: 'installation' };
    const strong = (await make(boss.id, { ceiling: [READ, settings], expires_at: later(HOUR) })).body;
    const path = `/${strong.key.key_id}`;
    for (const act of ['rotate', 'replace'])
      refused(
        await change('POST', `${path}/${act}`, { version: 1 }, key),
        403,
        ERRORS.key_exceeds_maker.sentence,
      );
    const narrower = { version: 1, ceiling: [settings], expires_at: later(HOUR / 2), name: 'Less' };
    const more = ERRORS.key_holds_more.sentence;
    refused(await change('PATCH', path, { version: 1, expires_at: null }, key), 403, more);
    refused(await change('PATCH', path, narrower, key), 403, more);
    refused(await change('POST', `${path}/revoke`, { version: 1 }, key), 403, more);
    expect(await may(strong.token)).toBe(200);
  });
});
