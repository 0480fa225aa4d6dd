import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filesBelow, ROOT } from '../../scripts/source-tree.ts';
import {
  ForbiddenTransitionError,
  isTerminal,
  mayTransition,
} from '../../server/features/outbound/delivery-state.ts';
import {
  findJob,
  insertJob,
  transitionJob,
  updateFacts,
} from '../../server/features/outbound/store/job-store.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../shared/states/outbound.ts';
import { faxRow } from '../setup/outbound-rows.ts';
import { openStore, type TestStore } from '../setup/stores.ts';

/** The table of the contract, written out pair by pair and on purpose not taken from the code. */
const ALLOWED = new Set([
  'held -> ready',
  'held -> cancelled',
  'held -> failed',
  'ready -> failed',
  'ready -> preparing',
  'ready -> cancelled',
  'ready -> held',
  'preparing -> submitting',
  'preparing -> ready',
  'preparing -> failed',
  'submitting -> in_progress',
  'submitting -> success',
  'submitting -> failed',
  'submitting -> ready',
  'submitting -> reconciliation_required',
  'in_progress -> success',
  'in_progress -> failed',
  'in_progress -> ready',
  'in_progress -> reconciliation_required',
  'reconciliation_required -> success',
  'reconciliation_required -> failed',
  'reconciliation_required -> in_progress',
]);

const STATES: DeliveryState[] = [
  'held',
  'ready',
  'preparing',
  'submitting',
  'in_progress',
  'success',
  'failed',
  'cancelled',
  'reconciliation_required',
];
const PAIRS = STATES.flatMap((from) => STATES.map((to) => [from, to] as const));
const AT = '2026-11-21T10:00:00.000Z';

let store: TestStore;
beforeAll(async () => {
  store = await openStore('sqlite');
});
afterAll(() => store.close());

test('the table covers every state there is', () => {
  expect([...STATES].sort()).toEqual([...DELIVERY_STATES].sort());
});

describe.each(PAIRS)('from %s to %s', (from, to) => {
  const allowed = ALLOWED.has(`${from} -> ${to}`);

  test(allowed ? 'a fax may move' : 'no fax moves', async () => {
    expect(mayTransition(from, to)).toBe(allowed);
    const job = faxRow({ delivery_state: from, delivery_version: 4 });
    const moving = store.db.transaction(async (tx) => {
      await insertJob(tx, job);
      return transitionJob(tx, job, to, { at: AT });
    });
    if (allowed)
      expect(await moving).toMatchObject({ delivery_state: to, delivery_version: 5, updated_at: AT });
    else await expect(moving).rejects.toThrow(ForbiddenTransitionError);
  });
});

test('success, failed and cancelled are the ends, and nothing else is', () => {
  expect(STATES.filter(isTerminal)).toEqual(['success', 'failed', 'cancelled']);
});

test('a move or a fact with a stale version changes nothing', async () => {
  const job = faxRow({ delivery_state: 'ready', delivery_version: 4 });
  await store.db.transaction((tx) => insertJob(tx, job));
  const stale = { ...job, delivery_version: 3 };
  expect(await store.db.transaction((tx) => transitionJob(tx, stale, 'preparing', { at: AT }))).toBeNull();
  expect(await store.db.transaction((tx) => updateFacts(tx, stale, { at: AT, pages: 3 }))).toBeNull();
  expect(await findJob(store.db.read, job.id)).toEqual(job);
});

test('one file alone writes a delivery state', () => {
  const writers = filesBelow('server').filter((path) => {
    if (!path.endsWith('.ts')) return false;
    const text = readFileSync(join(ROOT, path), 'utf8');
    const sets = [...text.matchAll(/\.set\((?=[{(])(?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/gu)];
    return text.includes("prepareUpdate('fax_job'") || sets.some(([set]) => set.includes('delivery_state'));
  });
  expect(writers).toEqual(['server/features/outbound/store/job-store.ts']);
});
