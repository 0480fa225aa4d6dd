import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverJob, deliverKey } from '../../server/features/intake/deliver-queue.ts';
import { settleRestoredMail } from '../../server/features/intake/offline.ts';
import { insertConnector, matchingConnectors } from '../../server/features/intake/store/connector-store.ts';
import {
  changeItem,
  countItems,
  findItem,
  insertItem,
  listItems,
} from '../../server/features/intake/store/item-store.ts';
import { putRecipients, recipientsOf } from '../../server/features/intake/store/recipient-store.ts';
import type { ConnectorRow, ItemRow } from '../../server/features/intake/types.ts';
import { createQueue } from '../../server/jobs/queue.ts';
import { isoTime } from '../../server/platform/clock.ts';
import { newId } from '../../server/platform/ids.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { ManualClock, SECOND } from '../setup/manual-clock.ts';
import { openStore, STORES, type TestStore, withoutPostgres } from '../setup/stores.ts';

const NUMBER = '+12025550100';

describe.for(STORES)(`e-mails of received faxes on %s${withoutPostgres}`, (name) => {
  const clock = new ManualClock();
  const now = () => isoTime(clock.now());
  let store: TestStore;
  beforeAll(async () => {
    store = await openStore(name);
  });
  afterAll(() => store.close());

  const connector = (given: Partial<ConnectorRow>): ConnectorRow => ({
    id: newId(),
    name: 'Desk',
    host: 'localhost',
    port: 25,
    security: 'none',
    username: '',
    password: null,
    oauth_provider: null,
    oauth: null,
    oauth_problem: null,
    from_address: 'fax@example.org',
    recipients: '["a@example.com"]',
    enabled: 1,
    match_number: null,
    subject_template: 'Fax',
    tested_at: null,
    test_ok: null,
    test_detail: null,
    version: 1,
    created_at: now(),
    updated_at: now(),
    ...given,
  });

  async function item(given: Partial<ItemRow> = {}): Promise<ItemRow> {
    const fax = inboundRow();
    clock.advance(SECOND);
    const row: ItemRow = {
      id: newId(),
      fax_id: fax.id,
      connector_id: 'c1',
      connector_name: 'Desk',
      state: 'received',
      version: 1,
      problem: null,
      failures: 0,
      retry_at: null,
      message_id: '<1@example.org>',
      mailbox_id: null,
      from_number: null,
      to_number: NUMBER,
      pages: 1,
      is_test: 0,
      filed_at: now(),
      recorded_at: now(),
      updated_at: now(),
      ...given,
    };
    await store.db.transaction(async (tx) => {
      await tx.insertInto('inbound_fax').values(fax).execute();
      await insertItem(tx, row);
    });
    return row;
  }

  test('match by their number, and only where none does by no number', async () => {
    const rows = [
      connector({ name: 'Any' }),
      connector({ name: 'B', match_number: NUMBER }),
      connector({ name: 'A', match_number: NUMBER }),
      connector({ name: 'Off', match_number: '+12025550155', enabled: 0 }),
    ];
    await store.db.transaction(async (tx) => {
      for (const row of rows) await insertConnector(tx, row);
    });
    const names = async (to: string | null) =>
      (await matchingConnectors(store.db.read, to)).map((row) => row.name);
    expect(await names(NUMBER)).toEqual(['A', 'B']);
    expect([await names('+12025550155'), await names(null)]).toEqual([['Any'], ['Any']]);
  });

  test('rule (intake): a received fax is queued once for each e-mail connector, and each version of an e-mail has one change', async () => {
    const row = await item();
    const again = { ...row, id: newId() };
    expect(await store.db.transaction((tx) => insertItem(tx, again))).toBe(false);
    const sides = [store.db, store.connectAgain(), store.db];
    const changes = { state: 'sending', updated_at: now() } as const;
    const changed = await Promise.all(
      sides.map((db) => db.transaction((tx) => changeItem(tx, row, changes))),
    );
    expect(changed.filter((one) => one !== null)).toMatchObject([{ state: 'sending', version: 2 }]);
    const back = store.db.transaction((tx) =>
      changeItem(tx, { ...row, state: 'delivered', version: 2 }, { state: 'received', updated_at: now() }),
    );
    await expect(back).rejects.toThrow('delivered to received');
  });

  test('are listed newest first, page by page, and counted', async () => {
    const made: ItemRow[] = [];
    for (const _ of [1, 2, 3]) made.push(await item({ state: 'failed', connector_id: 'paged' }));
    const ids = made.map(({ id }) => id).reverse();
    const filter = { state: ['failed'], connector_id: 'paged', limit: 2 } as const;
    const first = await listItems(store.db.read, filter);
    const second = await listItems(store.db.read, { ...filter, cursor: first.next_cursor ?? '' });
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(ids);
    expect(await countItems(store.db.read)).toContainEqual({ state: 'failed', items: 3 });
  });

  test('are held for a person after a restore, but for what is settled', async () => {
    const waits = await item();
    const goes = await item({ state: 'sending' });
    const done = await item({ state: 'delivered' });
    const queue = createQueue(store.db, clock);
    await store.db.transaction(async (tx) => {
      await putRecipients(tx, waits.id, [
        { address: 'a@example.com', state: 'delivered', sentence: null, at: now() },
        { address: 'b@example.com', state: 'refused', sentence: 'No.', at: now() },
      ]);
      await queue.enqueue(tx, deliverJob, { payload: { item_id: waits.id }, key: deliverKey(waits.id) });
      await settleRestoredMail(tx, now());
    });
    for (const { id } of [waits, goes])
      expect(await findItem(store.db.read, id)).toMatchObject({ state: 'uncertain', version: 2 });
    expect(await findItem(store.db.read, done.id)).toMatchObject({ state: 'delivered', version: 1 });
    expect((await recipientsOf(store.db.read, [waits.id])).map(({ state }) => state)).toEqual([
      'delivered',
      'uncertain',
    ]);
    expect(await store.db.read.selectFrom('job').selectAll().execute()).toEqual([]);
  });
});
