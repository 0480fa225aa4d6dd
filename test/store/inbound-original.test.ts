import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RECEIVED_DOCUMENTS } from '../../server/features/inbound/room.ts';
import {
  awaitDecoding,
  changeOriginal,
  chooseContact,
  findOriginal,
  listLocked,
  removeOriginal,
} from '../../server/features/inbound/store/original-store.ts';
import { newId } from '../../server/platform/ids.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';

const LATER = '2026-11-21T09:02:00.000Z';
const NUMBER = '+12025550150';

describe.each(STORES)('originals of received faxes on %s', (name) => {
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  const addFax = async (from_number = NUMBER) => {
    const id = newId();
    const row = inboundRow({ id, from_number, document: `inbound/${id}-0123456789ab.pdf` });
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(row).execute();
      await awaitDecoding(tx, id, LATER);
    });
    return id;
  };

  test('rule (crossings): a stored original belongs to its fax until the fax names it no more [store]', async () => {
    const id = await addFax();
    const names = [`inbound/${id}-0123456789ab.pdf`, `inbound/${id}-ba9876543210.org`];
    expect([...(await RECEIVED_DOCUMENTS.findKept(store.db.read, names))]).toEqual(names.slice(0, 1));
    await store.db.transaction((tx) => changeOriginal(tx, id, { state: 'decoded', document: names[1] }));
    expect([...(await RECEIVED_DOCUMENTS.findKept(store.db.read, names))].sort()).toEqual(names.sort());
    await store.db.transaction((tx) => changeOriginal(tx, id, { document: null }));
    expect((await RECEIVED_DOCUMENTS.findKept(store.db.read, names)).size).toBe(1);
  });

  test('a key concerns the faxes of its number, and those for which its contact was chosen', async () => {
    const own = await addFax('+12025550151');
    const chosen = await addFax('+12025550152');
    const others = await addFax('+12025550153');
    const done = await addFax('+12025550151');
    await store.db.transaction(async (tx) => {
      for (const id of [own, chosen, others]) await changeOriginal(tx, id, { state: 'key_missing' });
      await changeOriginal(tx, done, { state: 'decoded' });
      await chooseContact(tx, chosen, 'contact-1');
    });
    const found = await listLocked(store.db.read, { number: '+12025550151', contactId: 'contact-1' });
    expect(found).toEqual([own, chosen].sort());
    await store.db.transaction((tx) => removeOriginal(tx, own));
    expect(await findOriginal(store.db.read, own)).toBeUndefined();
  });
});
