import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ForbiddenReceivedStateError } from '../../server/features/inbound/received-state.ts';
import { changeFax, insertFax } from '../../server/features/inbound/store/fax-store.ts';
import { INBOUND_STATUSES, type InboundStatus } from '../../shared/states/inbound.ts';
import { inboundRow } from '../setup/inbound-rows.ts';
import { openStore, type TestStore } from '../setup/stores.ts';

/** Written out pair by pair and on purpose not taken from the code. */
const ALLOWED = new Set([
  'waiting -> waiting',
  'waiting -> received',
  'waiting -> failed',
  'failed -> failed',
  'failed -> waiting',
  'failed -> received',
  'received -> received',
]);
const STATES: InboundStatus[] = ['waiting', 'received', 'failed'];
const PAIRS = STATES.flatMap((from) => STATES.map((to) => [from, to] as const));

let store: TestStore;
beforeAll(async () => {
  store = await openStore('sqlite');
});
afterAll(() => store.close());

test('the table covers every state there is', () => {
  expect([...STATES].sort()).toEqual([...INBOUND_STATUSES].sort());
});

describe.each(PAIRS)('from %s to %s', (from, status) => {
  const allowed = ALLOWED.has(`${from} -> ${status}`);

  test(allowed ? 'a received fax may move' : 'no received fax moves', async () => {
    const row = inboundRow({ status: from });
    const moving = store.db.transaction(async (tx) => {
      await insertFax(tx, row);
      return changeFax(tx, row, { status, updated_at: '2026-11-22T10:00:00.000Z' });
    });
    if (allowed) expect(await moving).toMatchObject({ status, version: row.version + 1 });
    else await expect(moving).rejects.toThrow(ForbiddenReceivedStateError);
  });
});
