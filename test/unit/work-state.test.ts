import { describe, expect, test } from 'vitest';
import {
  type Act,
  type ActingPerson,
  actionsOf,
  afterAct,
  refusalOf,
  stateOf,
  type TimedStanding,
} from '../../server/features/work/work-state.ts';
import { WORK_STATE_KEYS, type WorkAction, type WorkStateKey } from '../../shared/states/work.ts';

const NOW = '2026-11-21T12:00:00.000Z';
const OWNER: ActingPerson = { id: 'owen', name: 'Owen', manages: false };
const MANAGER: ActingPerson = { id: 'mara', name: 'Mara', manages: true };
const BOTH: ActingPerson = { id: 'owen', name: 'Owen', manages: true };
const READER: ActingPerson = { id: 'rita', name: 'Rita', manages: false };
const ROLES = { owner: OWNER, manager: MANAGER, 'owner and manager': BOTH, reader: READER } as const;

const ACTS: Readonly<Record<WorkAction, Act>> = {
  assign: { kind: 'assign', to: { id: 'nell', name: 'Nell' }, from: { id: 'owen', name: 'Owen' } },
  acknowledge: { kind: 'acknowledge' },
  done: { kind: 'done', note: 'Filed.' },
  reopen: { kind: 'reopen' },
};

/** An item in that state, as it came there. */
function itemIn(key: WorkStateKey): TimedStanding {
  const isOver = key === 'overdue' || key === 'escalated';
  const isAcknowledged = key === 'acknowledged' || key === 'done';
  return {
    state_key: key,
    owner_id: key === 'waiting' ? '' : 'owen',
    due_at: '2026-11-21T11:00:00.000Z',
    due_hours: 2,
    awaited_until: null,
    missed_at: isOver ? '2026-11-21T11:00:00.000Z' : null,
    assigned_at: key === 'waiting' ? null : '2026-11-21T09:30:00.000Z',
    acknowledged_by: isAcknowledged ? 'owen' : null,
    acknowledged_at: isAcknowledged ? '2026-11-21T10:00:00.000Z' : null,
    escalated_to: key === 'escalated' ? 'owen' : null,
    escalated_at: key === 'escalated' ? '2026-11-21T11:00:00.000Z' : null,
    done_by: key === 'done' ? 'owen' : null,
    done_at: key === 'done' ? '2026-11-21T11:30:00.000Z' : null,
    done_note: key === 'done' ? 'Filed.' : null,
  };
}

/**
 * Expected change of an item, or the code of the refusal; written out on purpose, and not derived from the code.
 * Assigning and reopening require the permission to manage work, which is checked before.
 */
const EXPECTED: Readonly<Record<WorkStateKey, Readonly<Record<keyof typeof ROLES, readonly string[]>>>> = {
  // acknowledge, done, and for managers: assign, reopen
  waiting: {
    // Nobody owns it, so that nobody is its owner.
    owner: ['not_your_item', 'item_of_another'],
    manager: ['not_your_item', 'done', 'assigned', 'item_not_done'],
    'owner and manager': ['not_your_item', 'done', 'assigned', 'item_not_done'],
    reader: ['not_your_item', 'item_of_another'],
  },
  assigned: {
    owner: ['acknowledged', 'done'],
    manager: ['not_your_item', 'done', 'assigned', 'item_not_done'],
    'owner and manager': ['acknowledged', 'done', 'assigned', 'item_not_done'],
    reader: ['not_your_item', 'item_of_another'],
  },
  overdue: {
    owner: ['acknowledged', 'done'],
    manager: ['not_your_item', 'done', 'assigned', 'item_not_done'],
    'owner and manager': ['acknowledged', 'done', 'assigned', 'item_not_done'],
    reader: ['not_your_item', 'item_of_another'],
  },
  escalated: {
    owner: ['acknowledged', 'done'],
    manager: ['not_your_item', 'done', 'assigned', 'item_not_done'],
    'owner and manager': ['acknowledged', 'done', 'assigned', 'item_not_done'],
    reader: ['not_your_item', 'item_of_another'],
  },
  acknowledged: {
    owner: ['item_acknowledged', 'done'],
    manager: ['not_your_item', 'done', 'assigned', 'item_not_done'],
    'owner and manager': ['item_acknowledged', 'done', 'assigned', 'item_not_done'],
    reader: ['not_your_item', 'item_of_another'],
  },
  done: {
    owner: ['item_done', 'item_done'],
    manager: ['not_your_item', 'item_done', 'assigned', 'assigned'],
    'owner and manager': ['item_done', 'item_done', 'assigned', 'assigned'],
    reader: ['not_your_item', 'item_of_another'],
  },
};

const ORDER: readonly WorkAction[] = ['acknowledge', 'done', 'assign', 'reopen'];

describe.each(WORK_STATE_KEYS)('an item that is %s', (key) => {
  test.each(Object.keys(ROLES) as (keyof typeof ROLES)[])(
    'rule (work): one table defines what each action does to a work item [for its %s]',
    (role) => {
      const item = itemIn(key);
      const doer = ROLES[role];
      const kinds = ORDER.slice(0, doer.manages ? 4 : 2);
      const outcomes = kinds.map(
        (kind) => refusalOf(item, kind, doer) ?? afterAct(item, ACTS[kind], doer, NOW)?.changes.state_key,
      );
      expect(outcomes).toEqual(EXPECTED[key][role]);
      const allowed = kinds.filter((kind) => refusalOf(item, kind, doer) === null);
      expect(new Set(actionsOf(item, doer))).toEqual(new Set(allowed));
    },
  );
});

test('each act leaves one entry that names who did it, and what belongs to the state and nothing else', () => {
  for (const key of WORK_STATE_KEYS)
    for (const kind of ORDER) {
      if (refusalOf(itemIn(key), kind, BOTH) !== null) continue;
      const outcome = afterAct(itemIn(key), ACTS[kind], BOTH, NOW);
      expect(outcome?.newEntries).toMatchObject([{ by: { id: 'owen', name: 'Owen' } }]);
      const after = { ...itemIn(key), ...outcome?.changes };
      const state = stateOf(after.state_key);
      expect([key, kind, after.done_at !== null]).toEqual([key, kind, state === 'done']);
      if (state === 'open') expect([key, kind, after.acknowledged_at]).toEqual([key, kind, null]);
    }
});

test('an assignment to the present owner changes nothing, in every state', () => {
  const owen = { id: 'owen', name: 'Owen' };
  for (const key of WORK_STATE_KEYS.filter((one) => one !== 'waiting'))
    expect(afterAct(itemIn(key), { kind: 'assign', to: owen, from: owen }, MANAGER, NOW)).toBeNull();
});

test('an item is reopened to its owner as it was: overdue, escalated, or without anybody', () => {
  const done = itemIn('done');
  const reopened = (item: TimedStanding) => afterAct(item, ACTS.reopen, MANAGER, NOW)?.changes.state_key;
  expect(reopened(done)).toBe('assigned');
  expect(reopened({ ...done, missed_at: NOW })).toBe('overdue');
  expect(reopened({ ...done, missed_at: NOW, escalated_to: 'owen' })).toBe('escalated');
  expect(reopened({ ...done, owner_id: '' })).toBe('waiting');
});
