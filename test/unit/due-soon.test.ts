import { describe, expect, test } from 'vitest';
import { isDue, isDueSoon, nextCheckDelay, type WorkItem } from '../../renderer/shell/due-soon.ts';

const NOW = Date.parse('2026-11-21T09:00:00.000Z');
const MINUTE = 60_000;

const item = (minutes: number | null, given: Partial<WorkItem> = {}) => ({
  state: 'open' as const,
  overdue: false,
  due_at: minutes === null ? null : new Date(NOW + minutes * MINUTE).toISOString(),
  ...given,
});

describe('an item of mine', () => {
  test.each([
    ['is due in 11 minutes', item(11), false],
    ['is due in 10 minutes', item(10), true],
    ['is due in a minute', item(1), true],
    ['is due now', item(0), false],
    ['was due a minute ago', item(-1), false],
    ['has no due time', item(null), false],
    ['was acknowledged', item(5, { state: 'acknowledged' }), false],
    ['is done', item(5, { state: 'done' }), false],
    ['is overdue', item(5, { overdue: true }), false],
  ] as const)('that %s: shown is %o', (_, given, isShown) => {
    expect(isDueSoon(given, NOW)).toBe(isShown);
  });

  test.each([
    ['is due soon', item(5), true],
    ['is overdue', item(-5, { overdue: true }), true],
    ['is due later', item(30), false],
    ['is open again after it was acknowledged in time', item(-5), false],
    ['was acknowledged late', item(-5, { state: 'acknowledged' }), false],
  ] as const)('that %s counts among those that are due: %o', (_, given, counts) => {
    expect(isDue(given, NOW)).toBe(counts);
  });
});

test('the next check is when the first item becomes due soon, or when its time passes', () => {
  expect(nextCheckDelay([item(60), item(25), item(null)], NOW)).toBe(15 * MINUTE);
  expect(nextCheckDelay([item(60), item(4)], NOW)).toBe(4 * MINUTE);
  expect(
    nextCheckDelay([item(-3), item(5, { state: 'acknowledged' }), item(5, { overdue: true })], NOW),
  ).toBeNull();
});
