import { expect, test } from 'vitest';
import type { WorkItem } from '../../renderer/shell/due-soon.ts';
import { changesOf, knownOf, parseKnown } from '../../renderer/shell/my-work-changes.ts';

const item = (id: string, given: Partial<WorkItem> = {}) =>
  ({ id, overdue: false, assigned_at: '2026-11-21T09:00:00.000Z', ...given }) as WorkItem;
const SINCE = '2026-11-21T08:00:00.000Z';

test('items that arrived, went and became overdue are distinguished', () => {
  const before = knownOf([item('a'), item('b'), item('c', { overdue: true })]);
  const changes = changesOf(
    before,
    [item('b', { overdue: true }), item('c', { overdue: true }), item('d')],
    SINCE,
  );
  expect(changes.arrived.map(({ id }) => id)).toEqual(['d']);
  expect(changes.gone).toEqual(['a']);
  expect(changes.overdue.map(({ id }) => id)).toEqual(['b']);
});

test('an item that only moved up among very many did not arrive', () => {
  const early = item('d', { assigned_at: '2026-11-21T07:00:00.000Z' });
  expect(changesOf(knownOf([item('a')]), [item('a'), early], SINCE).arrived).toEqual([]);
});

test('stored items are read again, and nothing else is', () => {
  const known = knownOf([item('a'), item('b', { overdue: true })]);
  expect(parseKnown(JSON.stringify([...known]))).toEqual(known);
  for (const text of [null, '', '{}', '3', '{"a":1']) expect(parseKnown(text)).toBeNull();
  expect(parseKnown('[["a",true],["b",1],7]')).toEqual(new Map([['a', true]]));
});
