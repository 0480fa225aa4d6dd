import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { LOCAL_OPERATOR } from '../../server/features/access/service.ts';
import type { PairingService } from '../../server/features/pairing/service.ts';
import { ManualClock, MINUTE } from '../setup/manual-clock.ts';
import { openPairingRoom } from '../setup/pairing-room.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const AT_ONCE = 20;
const MAKER = { maker: { principalId: 'bootstrap', keyId: null }, deviceName: null };

describe.each(STORES)(`pairing on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  let store: TestStore;
  /** Two gateways on one store where there can be two. */
  let rooms: PairingService[];
  beforeEach(async () => {
    store = await openStore(name);
    const stores = name === 'postgres' ? [store.db, store.connectAgain()] : [store.db];
    rooms = await Promise.all(stores.map((db) => openPairingRoom(db, clock)));
  });
  afterEach(() => store.close());

  const keys = () => store.db.read.selectFrom('api_key').select('key_id').execute();
  /** A visitor of an address of their own, so that no limit of an address decides. */
  const attempt = (code: string, n: number) =>
    (rooms[n % rooms.length] as PairingService).pair(
      { code, deviceName: `Phone ${n}` },
      { address: `198.51.100.${n}`, requestId: 'request' },
    );

  test('one code that many devices use at once lets one of them in', async () => {
    const { code } = await (rooms[0] as PairingService).createCode(LOCAL_OPERATOR, MAKER);
    const tries = Array.from({ length: AT_ONCE }, (_, n) => attempt(code, n));
    const settled = await Promise.allSettled(tries);
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    const refused = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason.status] : []));
    expect(refused).toEqual(Array.from({ length: AT_ONCE - 1 }, () => 403));
    expect(await keys()).toHaveLength(1);
    expect(await store.db.read.selectFrom('pairing_code').selectAll().execute()).toEqual([]);
  });

  test('tries from many addresses are thirty a minute in all', async () => {
    const wrong = Array.from({ length: 32 }, (_, n) => attempt('nonsense', n));
    const statuses = (await Promise.allSettled(wrong)).map((each) =>
      each.status === 'rejected' ? each.reason.status : 200,
    );
    expect(statuses.filter((status) => status === 403)).toHaveLength(30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    clock.advance(MINUTE);
    await expect(attempt('nonsense', 40)).rejects.toMatchObject({ status: 403 });
  });

  test('codes that one maker requests at once leave one that works', async () => {
    const made = await Promise.all(
      Array.from({ length: 4 }, (_, n) =>
        (rooms[n % rooms.length] as PairingService).createCode(LOCAL_OPERATOR, MAKER),
      ),
    );
    expect(await store.db.read.selectFrom('pairing_code').selectAll().execute()).toHaveLength(1);
    const settled = await Promise.allSettled([...new Set(made.map(({ code }) => code))].map(attempt));
    expect(settled.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
  });
});
