import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKeyListener, defineNewKey } from '../../server/features/inbound/decoding/new-key.ts';
import { RECEIVED_DOCUMENTS } from '../../server/features/inbound/room.ts';
import {
  awaitDecoding,
  changeOriginal,
  chooseContact,
  findOriginal,
  listLocked,
  removeOriginal,
} from '../../server/features/inbound/store/original-store.ts';
import type { JobDefinition } from '../../server/jobs/define-job.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { createWorker } from '../../server/jobs/worker.ts';
import { newId } from '../../server/platform/ids.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { ManualClock } from '../setup/manual-clock.ts';
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
    const contact = { number: '+12025550151', contactId: 'contact-1' };
    const ids = [own, chosen].sort();
    expect(await listLocked(store.db.read, contact, { after: '', limit: 10 })).toEqual(ids);
    const [first = ''] = ids;
    expect(await listLocked(store.db.read, contact, { after: '', limit: 1 })).toEqual([first]);
    expect(await listLocked(store.db.read, contact, { after: first, limit: 10 })).toEqual(ids.slice(1));
    await store.db.transaction((tx) => removeOriginal(tx, own));
    expect(await findOriginal(store.db.read, own)).toBeUndefined();
  });

  test('a key queues however many faxes a hundred at a time', async () => {
    const number = '+12025550155';
    const ids: string[] = [];
    for (let n = 0; n < 250; n += 1) ids.push(await addFax(number));
    await store.db.transaction(async (tx) => {
      for (const id of ids) await changeOriginal(tx, id, { state: 'key_missing' });
    });
    const clock = new ManualClock();
    const queue = createQueue(store.db, clock);
    const queued = async () => {
      const jobs = await store.db.read
        .selectFrom('job')
        .select('payload')
        .where('kind', '=', 'inbound.decode')
        .execute();
      return jobs.map(({ payload }) => (JSON.parse(payload) as { fax_id: string }).fax_id).sort();
    };
    await store.db.transaction((tx) =>
      createKeyListener({ queue, clock }).changed(tx, { contactId: 'contact-2', number }),
    );
    expect(await queued()).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, 100));

    const definitions = [defineNewKey({ queue, clock }) as unknown as JobDefinition<never>];
    const logger = createLogger({ level: 'fatal', write: () => undefined });
    const worker = createWorker({ db: store.db, queue, clock, logger, definitions });
    await worker.processAll();
    expect(await queued()).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)));
    await worker.stop(0);
  });
});
