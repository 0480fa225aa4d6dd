import { expect, test } from 'vitest';
import { countOf, scheduledOf } from '../../renderer/features/outbound-sent/counts.ts';
import { LIMITS } from '../../shared/limits.ts';
import { DELIVERY_STATES, type DeliveryState } from '../../shared/states/outbound.ts';

const none = Object.fromEntries(DELIVERY_STATES.map((state) => [state, 0])) as Record<DeliveryState, number>;

test('a sum of counts has more where one of them was not counted to its end', () => {
  const all = { ...none, success: LIMITS.counted, failed: 12, held: 3 };
  const total = LIMITS.counted + 15;
  expect(countOf(all, [])).toEqual({ count: total, most: total });
  expect(countOf(all, ['success'])).toEqual({ count: LIMITS.counted, most: LIMITS.counted });
  expect(countOf(all, ['failed', 'held'])).toEqual({ count: 15, most: Number.POSITIVE_INFINITY });
});

test('nothing is counted before the counts are loaded', () => {
  expect([countOf(undefined, []).count, scheduledOf(undefined, true).count]).toEqual([undefined, undefined]);
});
