import { describe, expect, test } from 'vitest';
import { applyChanges } from '../../renderer/api/lists/row-order.ts';
import { dueTime } from '../../renderer/parts/work/due.ts';
import { matching } from '../../renderer/ui/person-match.ts';

const NOW = new Date('2026-11-23T09:00:00.000Z');
const at = (minutes: number) => new Date(NOW.getTime() + minutes * 60_000).toISOString();
const due = (minutes: number, overdue = false) =>
  dueTime({ state: 'open', due_at: at(minutes), overdue }, NOW);

describe('when an item is due', () => {
  test('is counted down for an hour, and a time of day before', () => {
    expect(due(12)).toEqual({ kind: 'in', minutes: 12 });
    expect(due(0.2)).toEqual({ kind: 'in', minutes: 1 });
    expect(due(60)).toEqual({ kind: 'in', minutes: 60 });
    expect(due(61)).toEqual({ kind: 'at' });
  });

  test('shows how late it is, by the gateway’s word', () => {
    expect(due(-8, true)).toEqual({ kind: 'late', minutes: 8 });
    expect(due(-65.5, true)).toEqual({ kind: 'late', minutes: 65 });
    expect(due(-0.5, true)).toEqual({ kind: 'late', minutes: 1 });
    expect(due(-0.5)).toEqual({ kind: 'now' });
    // Acknowledged in time and reopened afterwards: its due time was met.
    expect(due(-30)).toEqual({ kind: 'at' });
  });

  test('is a time for what is acknowledged, past for what is done, and nothing without a target', () => {
    const item = { due_at: at(5), overdue: false };
    expect(dueTime({ ...item, state: 'acknowledged' }, NOW)).toEqual({ kind: 'at' });
    expect(dueTime({ ...item, state: 'done' }, NOW)).toEqual({ kind: 'done' });
    expect(dueTime({ ...item, state: 'open', due_at: null }, NOW)).toBeNull();
  });
});

describe('who is meant by what was typed', () => {
  const people = ['Jonas Tveit', 'Jo Abel', 'Tove Jansen', 'Mara Okafor'].map((name) => ({ id: name, name }));
  const names = (typed: string) => matching(people, typed).map(({ name }) => name);

  test('is found by initials first, then by any of the names', () => {
    expect(names('jt')).toEqual(['Jonas Tveit']);
    expect(names('J')).toEqual(['Jonas Tveit', 'Jo Abel', 'Tove Jansen']);
    expect(names('jo')).toEqual(['Jonas Tveit', 'Jo Abel']);
    expect(names('tv')).toEqual(['Jonas Tveit']);
    expect(names('x')).toEqual([]);
    expect(names(' ')).toHaveLength(4);
  });
});

describe('a list whose rows move when they change', () => {
  const row = (id: string, rank: number, version = 1) => ({ id, rank, version });
  type Row = ReturnType<typeof row>;
  const isBefore = (a: Row, b: Row) => a.rank < b.rank || (a.rank === b.rank && a.id < b.id);
  const rows = [row('a', 1), row('b', 2), row('d', 4)];
  const lay = (...changed: Row[]) =>
    applyChanges(
      rows,
      new Map(changed.map((it) => [it.id, { kind: 'changed', row: it, fits: true } as const])),
      {
        isBefore,
        isWhole: true,
        canMove: true,
      },
    );

  test('shows each where it stood, as it is now, and once', () => {
    expect(lay(row('a', 9, 2)).map(({ id, rank }) => `${id}${rank}`)).toEqual(['a9', 'b2', 'd4']);
  });

  test('has a new row where it belongs among the others as they were read', () => {
    expect(lay(row('a', 9, 2), row('c', 3)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
  });
});
