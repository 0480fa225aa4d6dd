import { expect, test } from 'vitest';
import { changedAmong, historyIdBefore } from '../../server/platform/changed-ids.ts';

const rows = (count: number) => Array.from({ length: count }, (_, n) => `id-${n}`);
const finding = (all: readonly string[]) => async (limit: number) => all.slice(0, limit);

test('a list is restricted to what changed, of the ids that were given', async () => {
  expect(await changedAmong(undefined, finding(rows(3)))).toEqual(['id-0', 'id-1', 'id-2']);
  expect(await changedAmong(['id-2', 'other'], finding(rows(3)))).toEqual(['id-2']);
  expect(await changedAmong(undefined, finding([]))).toEqual([]);
});

test('and not restricted where more than 2,000 changed', async () => {
  expect(await changedAmong(undefined, finding(rows(2_000)))).toHaveLength(2_000);
  expect(await changedAmong(undefined, finding(rows(2_001)))).toBeUndefined();
  expect(await changedAmong(['other'], finding(rows(2_001)))).toEqual(['other']);
});

test('a history begins an hour before the time, and not for a time to come', () => {
  const now = Date.now();
  const at = (ms: number) => historyIdBefore(new Date(now + ms).toISOString(), now);
  expect(at(2 * 3_600_000)).toBeNull();
  expect(at(0)).toMatch(/^[\da-f-]{36}$/u);
  expect((at(-1_000) ?? '') < (at(0) ?? '')).toBe(true);
  expect(historyIdBefore('0001-01-01T00:00:00.000Z', now)).toMatch(/^[\da-f-]{36}$/u);
});
