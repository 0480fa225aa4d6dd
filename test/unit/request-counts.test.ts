import { expect, test } from 'vitest';
import { countRequest } from '../../server/features/gateways/store-counts.ts';

/** Counts requests in given seconds; returns which were admitted. */
function admitted(perMinute: number, seconds: readonly number[]): boolean[] {
  const counts = new Map<number, number>();
  return seconds.map((second) => {
    for (const at of counts.keys()) if (at <= second - 61) counts.delete(at);
    return countRequest(counts, { second, perMinute }).isAdmitted;
  });
}

test('no 60 seconds have more requests than the limit', () => {
  expect(admitted(2, [0, 0, 0, 59, 60, 61, 61, 61])).toEqual([
    true,
    true,
    false,
    false,
    false,
    true,
    true,
    false,
  ]);
});

test('a refused request is told when the next one is admitted, and is not counted', () => {
  const counts = new Map([
    [100, 3],
    [110, 1],
  ]);
  expect(countRequest(counts, { second: 120, perMinute: 4 })).toEqual({
    isAdmitted: false,
    remaining: 0,
    seconds: 41,
  });
  // A limit that was lowered meanwhile.
  expect(countRequest(counts, { second: 120, perMinute: 1 })).toMatchObject({ seconds: 51 });
  expect(countRequest(counts, { second: 120, perMinute: 6 })).toEqual({
    isAdmitted: true,
    remaining: 1,
    seconds: 41,
  });
});
