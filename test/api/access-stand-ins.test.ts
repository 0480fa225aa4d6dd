import { afterEach, beforeEach, expect, it } from 'vitest';
import { BOOTSTRAP_ID } from '../../server/features/access/store/principals.ts';
import type { Caller } from '../../server/http/caller.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { addPerson, changeFromOutside } from './access-records.ts';
import { INSTALLATION_KEY, startGateway, type TestGateway } from './access-setup.ts';

const SEND = { permission: 'fax:send', resource_id: 'installation' };

let gateway: TestGateway;
beforeEach(async () => {
  gateway = await startGateway();
});
afterEach(async () => {
  await gateway.stop();
});

const callerFor = (who: string) => gateway.access.service.callerFor(who, 'send_folder');
const readEvents = (caller: Caller | null) =>
  caller && {
    id: caller.principal.id,
    by: caller.credential.kind,
    sends: caller.holds('fax:send'),
    reads: caller.holds('fax:read'),
  };

async function key(owner: string, expires_at: string | null = null): Promise<string> {
  const { body: me } = await gateway.request('GET', '/auth/me', { key: INSTALLATION_KEY });
  const body = {
    expected_policy_version: me.policy_version,
    principal: { id: owner, version: 1 },
    ceiling: [SEND],
    ...(expires_at && { expires_at }),
  };
  const made = await gateway.request('POST', '/access/keys', { key: INSTALLATION_KEY, body });
  return made.body.key.key_id as string;
}

it('stands in for a person by login and id, and for a key by its id and within its limits', async () => {
  const { id } = await addPerson(gateway, { login: 'ann', permissions: ['fax:read', 'fax:send'] });
  const ann = { id, by: 'send_folder', sends: true, reads: true };
  expect([readEvents(await callerFor('Ann')), readEvents(await callerFor(id))]).toEqual([ann, ann]);
  expect(readEvents(await callerFor(await key(id)))).toEqual({ ...ann, reads: false });
});

it('checks each time what the person may do', async () => {
  const { id, roleId } = await addPerson(gateway, { login: 'ann', permissions: ['fax:read', 'fax:send'] });
  await changeFromOutside(gateway, async (tx) => {
    await tx
      .deleteFrom('role_permission')
      .where('role_id', '=', roleId)
      .where('permission', '=', 'fax:send')
      .execute();
  });
  expect(readEvents(await callerFor('ann'))).toMatchObject({ sends: false, reads: true });
  await changeFromOutside(gateway, async (tx) => {
    await tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', id).execute();
  });
  expect(await callerFor('ann')).toBeNull();
});

it('stands in for nobody who is unknown, is without a password of their own, or whose key has ended', async () => {
  const ann = await addPerson(gateway, { login: 'ann', permissions: ['fax:send'] });
  const ended = await key(ann.id, isoTime(gateway.clock.ms + 1000));
  gateway.clock.ms += 2000;
  await addPerson(gateway, { login: 'new', permissions: ['fax:send'], changeRequired: true });
  expect([await callerFor('nobody'), await callerFor('new'), await callerFor(ended)]).toEqual([
    null,
    null,
    null,
  ]);
});

it('never stands in for the installation key', async () => {
  const { service } = gateway.access;
  expect(await service.findPrincipal(gateway.db.read, BOOTSTRAP_ID)).toMatchObject({ enabled: true });
  expect(await callerFor(BOOTSTRAP_ID)).toBeNull();
});
