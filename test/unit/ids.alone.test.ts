import { afterEach, expect, test, vi } from 'vitest';
import { newId } from '../../server/platform/ids.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** More than share one fetch of random bytes. */
const MANY = 1_000;

const idsAt = (ms: number) => {
  vi.spyOn(Date, 'now').mockReturnValue(ms);
  return Array.from({ length: MANY }, newId);
};

test('ids follow each other within a millisecond, after it, and while the clock was set back', () => {
  const soon = Date.now() + 60_000;
  const ids = [...idsAt(soon), ...idsAt(soon + 1), ...idsAt(soon - 3_600_000), ...idsAt(soon + 2)];
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(
    ids.filter((id) => !/^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/u.test(id)),
  ).toEqual([]);
});

test('an id begins with its time, in epoch milliseconds', () => {
  const later = Date.now() + 120_000;
  const [id = ''] = idsAt(later);
  expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(later);
});
