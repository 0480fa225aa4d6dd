import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyHistories } from '../../server/features/work/offline.ts';
import { RefusalError } from '../../server/platform/errors.ts';
import { fakeCaller } from '../setup/fake-caller.ts';
import { openStore, STORES, type TestStore } from '../setup/stores.ts';
import { WORK_SEAL, WorkProcess } from '../setup/work-room.ts';

const PEOPLE = Array.from({ length: 20 }, (_, i) => `person ${i + 1}`);
const ROUNDS = 6;

describe.each(STORES)('twenty people and two gateways at one item, on %s', (name) => {
  let store: TestStore;
  let work: WorkProcess;
  let gateways: readonly WorkProcess[];
  beforeAll(async () => {
    store = await openStore(name);
    work = new WorkProcess(store);
    gateways = [work, new WorkProcess(store, true)];
    for (const person of PEOPLE) await work.addPerson(person, 'installation');
  });
  afterAll(() => store.close());

  test('rule (work): each version of a work item has exactly one change, and the history has all of them', async () => {
    const { id } = await work.file();
    for (let round = 1; round <= ROUNDS; round += 1) {
      const { version, owner_id } = await work.item(id);
      expect(version).toBe(round);
      const outcomes = await Promise.all(
        PEOPLE.map(async (person, place) => {
          const gateway = gateways[place % 2] ?? work;
          const order =
            place % 4 === 0 ? finishing(round) : ({ kind: 'assign', principalId: person } as const);
          const asked = gateway.room.service.act(fakeCaller({ id: person }), { id, version }, order);
          return asked.then(
            (item) => ({ person, version: item.version }),
            (error: unknown) => {
              if (error instanceof RefusalError) return error.refusalCode;
              throw error;
            },
          );
        }),
      );
      const won = outcomes.filter((outcome) => typeof outcome === 'object');
      // The present owner again changes nothing, and is no refusal.
      const changes = won.filter((outcome) => outcome.version === version + 1);
      expect(changes).toHaveLength(1);
      expect(won.filter(({ version: same, person }) => same === version && person !== owner_id)).toEqual([]);
      for (const outcome of outcomes)
        if (typeof outcome === 'string')
          expect(['work_item_changed', 'item_done', 'item_not_done']).toContain(outcome);
    }
    const history = await work.history(id);
    expect(history.map(({ position }) => position)).toEqual(history.map((_, index) => index + 1));
    expect(history.map(({ item_version }) => item_version)).toEqual(history.map((_, index) => index + 1));
    expect(history).toHaveLength(ROUNDS + 1);
    expect(await verifyHistories(() => store.db.read, WORK_SEAL)).toMatchObject({
      intact: true,
      items: 1,
      entries: ROUNDS + 1,
    });
  });

  test('and the same document that arrives twenty times at once is recognized as the same', async () => {
    const sha256 = 'd'.repeat(64);
    const items = await Promise.all(PEOPLE.map(() => work.file({ sha256 })));
    const ids = items.map(({ id }) => id);
    expect(items.filter(({ duplicate_of }) => duplicate_of === null)).toHaveLength(1);
    for (const { id, duplicate_of } of items)
      if (duplicate_of !== null) expect(ids.filter((other) => other !== id)).toContain(duplicate_of);
  });
});

/** Finishes and reopens in turns. */
function finishing(round: number) {
  return round % 2 === 1 ? ({ kind: 'done', note: 'Filed.' } as const) : ({ kind: 'reopen' } as const);
}
