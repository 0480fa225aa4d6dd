import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { WriteTx } from '../../server/db/database.ts';
import { LOCAL_OPERATOR } from '../../server/features/access/service.ts';
import { insertAssignment } from '../../server/features/access/store/grants.ts';
import { insertPrincipal } from '../../server/features/access/store/principals.ts';
import type { PairingService } from '../../server/features/pairing/service.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { ManualClock } from '../setup/manual-clock.ts';
import { openPairingRoom } from '../setup/pairing-room.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const KIM = 'kim';

describe.each(STORES)(`whose code it is, on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  let store: TestStore;
  let room: PairingService;
  beforeEach(async () => {
    store = await openStore(name);
    room = await openPairingRoom(store.db, clock);
    await store.db.transaction((tx) => addOwner(tx));
  });
  afterEach(() => store.close());

  /** Kim is an owner with a password of their own. */
  async function addOwner(tx: WriteTx): Promise<void> {
    const now = isoTime(clock.now());
    await insertPrincipal(tx, {
      id: KIM,
      kind: 'user',
      login: KIM,
      display_name: 'Kim',
      enabled: 1,
      password_hash: 'a hash',
      password_change_required: 0,
      version: 1,
      created_at: now,
      updated_at: now,
    });
    await insertAssignment(tx, {
      id: 'of-kim',
      subject_kind: 'principal',
      subject_id: KIM,
      role_id: 'role_owner',
      resource_id: 'installation',
      version: 1,
      created_at: now,
    });
  }

  const pairAfter = async (change: ((tx: WriteTx) => Promise<unknown>) | null) => {
    const order = { maker: { principalId: KIM, keyId: null }, deviceName: 'Phone' };
    const { code } = await room.createCode(LOCAL_OPERATOR, order);
    if (change) await store.db.transaction(change);
    return room.pair({ code, deviceName: null }, { address: '198.51.100.1', requestId: 'request' });
  };
  const devices = () =>
    store.db.read.selectFrom('principal').select('id').where('display_name', '=', 'Device: Phone').execute();

  test('somebody who still may pairs a device', async () => {
    expect((await pairAfter(null)).token).toMatch(/^key_live_/u);
    expect(await devices()).toHaveLength(1);
  });

  test.each<[string, (tx: WriteTx) => Promise<unknown>]>([
    ['was disabled', (tx) => tx.updateTable('principal').set({ enabled: 0 }).where('id', '=', KIM).execute()],
    ['lost the role', (tx) => tx.deleteFrom('assignment').where('subject_id', '=', KIM).execute()],
    [
      'has to choose another password',
      (tx) =>
        tx.updateTable('principal').set({ password_change_required: 1 }).where('id', '=', KIM).execute(),
    ],
    [
      'has to set up a second factor',
      (tx) => tx.updateTable('role').set({ requires_two_factor: 1 }).where('id', '=', 'role_owner').execute(),
    ],
    [
      'holds a role that may pair no more',
      (tx) => tx.deleteFrom('role_permission').where('permission', '=', 'tunnels:pair').execute(),
    ],
    [
      'holds a role that may not open documents any more',
      (tx) => tx.deleteFrom('role_permission').where('permission', '=', 'inbound:document').execute(),
    ],
  ])('somebody who %s pairs none', async (_words, change) => {
    await expect(pairAfter(change)).rejects.toMatchObject({ status: 403 });
    expect(await devices()).toEqual([]);
  });
});
