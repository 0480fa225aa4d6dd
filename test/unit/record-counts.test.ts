import { expect, test } from 'vitest';
import { recordCounts } from '../../server/composition/record-counts.ts';
import { ManualClock } from '../setup/manual-clock.ts';

test('a count of more than 100,000 records is taken once a minute, a smaller one each time', async () => {
  const clock = new ManualClock();
  const taken = { faxes: 0, items: 0 };
  const service = {
    counts: async () => ({}),
    countByStatus: async () => ({}),
    countByState: async () => ({}),
  };
  const rooms = {
    outbound: {
      service: { ...service, counts: async () => ({ success: 100_000, failed: (taken.faxes += 1) }) },
    },
    work: { service: { ...service, countByState: async () => ({ open: 40_000, done: (taken.items += 1) }) } },
  };
  const others = ['inbound', 'intake', 'printRules', 'printing', 'webhooks'];
  const counts = recordCounts(clock, {
    ...Object.fromEntries(others.map((name) => [name, { service }])),
    ...rooms,
  } as never);
  const read = async () => [(await counts.faxes())['failed'], (await counts.work_items())['done']];
  expect(await read()).toEqual([1, 1]);
  clock.advance(59_000);
  expect(await read()).toEqual([1, 2]);
  clock.advance(1_000);
  expect(await read()).toEqual([2, 3]);
  clock.advance(-3_600_000);
  expect(await read()).toEqual([3, 4]);
});
