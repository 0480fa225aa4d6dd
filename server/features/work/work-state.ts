import type { FixedErrorCode } from '../../../shared/errors/all.ts';
import type { WorkAction, WorkState, WorkStateKey } from '../../../shared/states/work.ts';
import type { HistoryEntryInput, ItemRow, Person, Standing } from './types.ts';
import { NOBODY } from './types.ts';

// State transitions of a work item, as pure functions: the only place that defines them.

/** Act of a person on an item. */
export type Act =
  | { readonly kind: 'assign'; readonly to: Person; readonly from: Person | null }
  | { readonly kind: 'acknowledge' }
  | { readonly kind: 'done'; readonly note: string }
  | { readonly kind: 'note'; readonly note: string }
  | { readonly kind: 'reopen' }
  /** The sender of its fax was blocked, which moved the fax to Junk. */
  | { readonly kind: 'junk' }
  /** Its fax was taken out of Junk. */
  | { readonly kind: 'not_junk' };

/** Note of an item that was closed because its fax went to Junk. */
export const JUNK_NOTE = 'The sender is blocked, and the fax went to Junk.';

/** Person who acts on an item. */
export interface ActingPerson extends Person {
  /** True when they manage work where the item is. */
  readonly manages: boolean;
}

/** Effect of an act or event on an item; null where it changes nothing. */
type Outcome = {
  readonly changes: Partial<Standing>;
  readonly newEntries: readonly HistoryEntryInput[];
} | null;

type DueFields = Pick<ItemRow, 'due_at' | 'due_hours'>;
export type TimedStanding = Standing & DueFields;

export function stateOf(key: WorkStateKey): WorkState {
  return key === 'acknowledged' || key === 'done' ? key : 'open';
}

/** Returns true for an open item that was not acknowledged by its due time. `now` is ISO 8601 UTC. */
export function isOverdue(item: Standing, now: string): boolean {
  if (stateOf(item.state_key) !== 'open') return false;
  return item.missed_at !== null || isLapsed(item, now);
}

/** Returns true when the due time has passed without that being recorded. */
export function isLapsed({ awaited_until }: Pick<Standing, 'awaited_until'>, now: string): boolean {
  return awaited_until !== null && awaited_until <= now;
}

/** The state as it is now: an assigned item whose due time passed is overdue, recorded or not. */
export function stateKeyAt(item: Standing, now: string): WorkStateKey {
  return item.state_key === 'assigned' && isLapsed(item, now) ? 'overdue' : item.state_key;
}

/** Lists the acts that the doer may do now, given that they may see the item. */
export function actionsOf(
  item: Standing,
  { id, manages }: Pick<ActingPerson, 'id' | 'manages'>,
): WorkAction[] {
  const state = stateOf(item.state_key);
  const isOwner = item.owner_id === id;
  const actions: WorkAction[] = [];
  if (manages) actions.push('assign');
  if (isOwner && state === 'open') actions.push('acknowledge');
  if ((isOwner || manages) && state !== 'done') actions.push('done');
  if (manages && state === 'done') actions.push('reopen');
  return actions;
}

/** Returns true when the person may add a note: as the owner, or as one who manages work there. */
export function mayNote(
  { owner_id }: Pick<Standing, 'owner_id'>,
  { id, manages }: Pick<ActingPerson, 'id' | 'manages'>,
): boolean {
  return manages || owner_id === id;
}

/** Returns the reason why the doer may not do it, else null. The permission to manage work is checked before. */
export function refusalOf(item: Standing, act: Act['kind'], person: ActingPerson): FixedErrorCode | null {
  const state = stateOf(item.state_key);
  const isOwner = item.owner_id === person.id;
  switch (act) {
    case 'assign':
      return null;
    case 'acknowledge':
      if (!isOwner) return 'not_your_item';
      if (state === 'open') return null;
      return state === 'done' ? 'item_done' : 'item_acknowledged';
    case 'done':
    case 'junk':
      if (!isOwner && !person.manages) return 'item_of_another';
      return state === 'done' ? 'item_done' : null;
    case 'note':
      return mayNote(item, person) ? null : 'note_refused';
    case 'reopen':
    case 'not_junk':
      return state === 'done' ? null : 'item_not_done';
    default:
      return act satisfies never;
  }
}

/** Returns the effect of an allowed act on the item at `now`. */
export function afterAct(item: TimedStanding, act: Act, person: ActingPerson, now: string): Outcome {
  const by = { id: person.id, name: person.name };
  switch (act.kind) {
    case 'assign':
      return afterAssign(item, act, by, now);
    case 'acknowledge': {
      const changes = { acknowledged_by: by.id, acknowledged_at: now, awaited_until: null };
      return {
        changes: { state_key: 'acknowledged', ...changes },
        newEntries: [{ kind: 'acknowledged', by, text: `${by.name} acknowledged it.` }],
      };
    }
    case 'done': {
      const changes = { done_by: by.id, done_at: now, done_note: act.note, awaited_until: null };
      return {
        changes: { state_key: 'done', ...changes },
        newEntries: [{ kind: 'done', by, text: `${by.name} marked it as done: ${act.note}` }],
      };
    }
    case 'junk': {
      const changes = { done_by: by.id, done_at: now, done_note: JUNK_NOTE, awaited_until: null };
      const text = `${by.name} moved the fax to Junk, since its sender is blocked. The item was closed.`;
      return { changes: { state_key: 'done', ...changes }, newEntries: [{ kind: 'junk', by, text }] };
    }
    case 'not_junk': {
      const changes = { ...NOT_DONE, ...awaitedChange(item, now), owner_id: NOBODY, assigned_at: null };
      const text = `${by.name} took the fax out of Junk. It is open again and waits for an owner.`;
      return { changes: { state_key: 'waiting', ...changes }, newEntries: [{ kind: 'not_junk', by, text }] };
    }
    case 'note':
      return { changes: {}, newEntries: [{ kind: 'noted', by, text: `${noteIntro(by.name)}${act.note}` }] };
    case 'reopen':
      return {
        changes: { ...NOT_DONE, ...awaitedChange(item, now), state_key: reopenedStateKey(item) },
        newEntries: [{ kind: 'reopened', by, text: `${by.name} reopened it.` }],
      };
    default:
      return act satisfies never;
  }
}

/** Returns the words before a note in the history. */
export const noteIntro = (name: string): string => `${name} noted: `;

const NOT_DONE = {
  acknowledged_by: null,
  acknowledged_at: null,
  done_by: null,
  done_at: null,
  done_note: null,
} as const;

function afterAssign(
  item: TimedStanding,
  { to, from }: Act & { kind: 'assign' },
  by: Person,
  now: string,
): Outcome {
  if (item.owner_id === to.id) return null;
  const changes = { owner_id: to.id, assigned_at: now, state_key: 'assigned' } as const;
  const sentences = [assignedText(by, to, from)];
  if (item.state_key === 'done') sentences.push('It is open again.');
  else if (item.acknowledged_at !== null) sentences.push('The acknowledgement was cleared.');
  return {
    changes: { ...NOT_DONE, ...awaitedChange(item, now), ...changes },
    newEntries: [{ kind: 'assigned', by, text: sentences.join(' ') }],
  };
}

function assignedText(by: Person, to: Person, from: Person | null): string {
  const source = from === null ? '' : ` from ${from.name}`;
  if (to.id === by.id) return `${by.name} took it${source}.`;
  return from === null
    ? `${by.name} assigned it to ${to.name}.`
    : `${by.name} reassigned it${source} to ${to.name}.`;
}

/** The due time never moves: while it is to come it is awaited again, and once it passed it was met or missed for good. */
function awaitedChange({ due_at, missed_at }: TimedStanding, now: string): Pick<Standing, 'awaited_until'> {
  return { awaited_until: due_at !== null && due_at > now && missed_at === null ? due_at : null };
}

function reopenedStateKey({ owner_id, missed_at, escalated_to }: Standing): WorkStateKey {
  if (owner_id === NOBODY) return 'waiting';
  if (owner_id === escalated_to) return 'escalated';
  return missed_at === null ? 'assigned' : 'overdue';
}

const UNDONE_ACTS: Readonly<Record<Act['kind'], string>> = {
  assign: 'the change of the owner',
  acknowledge: 'the acknowledgement',
  done: 'marking it as done',
  note: 'the note',
  reopen: 'reopening it',
  junk: 'moving the fax to Junk',
  not_junk: 'taking the fax out of Junk',
};

/** Returns the effect of an undo: the item is restored to its standing before. */
export function afterUndo(before: Standing, kind: Act['kind'], by: Person): NonNullable<Outcome> {
  return {
    changes: before,
    newEntries: [{ kind: 'undone', by, text: `${by.name} undid ${UNDONE_ACTS[kind]}.` }],
  };
}

/** Returns the standing of an item, without the fields of its document. */
export function standingOf(item: Standing): Standing {
  const { state_key, owner_id, awaited_until, missed_at, assigned_at, escalated_to, escalated_at } = item;
  const { acknowledged_by, acknowledged_at, done_by, done_at, done_note } = item;
  const owned = { state_key, owner_id, awaited_until, missed_at, assigned_at, escalated_to, escalated_at };
  return { ...owned, acknowledged_by, acknowledged_at, done_by, done_at, done_note };
}

/** Records that the due time passed without acknowledgement: once for each item. */
export function afterMiss(item: TimedStanding, now: string): NonNullable<Outcome> {
  const hours = item.due_hours === 1 ? '1 hour' : `${item.due_hours ?? 0} hours`;
  return {
    changes: {
      missed_at: now,
      awaited_until: null,
      state_key: item.state_key === 'assigned' ? 'overdue' : item.state_key,
    },
    newEntries: [{ kind: 'overdue', text: `Nobody acknowledged it within ${hours}.` }],
  };
}

/** Person who takes over what was missed, or the reason why there is none. */
export type Backup =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'none' }
  | { readonly kind: 'no_mailbox' }
  /** Disabled, without a password of their own, or they may not see the document. */
  | { readonly kind: 'unable'; readonly name: string };

/** Returns the effect of a missed due time: the backup person gets the item, or the history says why not. */
export function afterMissWithBackup(item: TimedStanding, backup: Backup, now: string): NonNullable<Outcome> {
  const missed = afterMiss(item, now);
  const reason = noBackupReason(item, backup);
  if (backup.kind !== 'person' || reason !== null) {
    const text = `It was not assigned to a backup person: ${reason ?? ''}.`;
    return { ...missed, newEntries: [...missed.newEntries, { kind: 'not_escalated', text }] };
  }
  const { id, name } = backup.person;
  const given = { owner_id: id, assigned_at: now, escalated_to: id, escalated_at: now } as const;
  return {
    changes: { ...missed.changes, ...given, state_key: 'escalated' },
    newEntries: [
      ...missed.newEntries,
      { kind: 'escalated', text: `It was assigned to the backup person, ${name}.` },
    ],
  };
}

function noBackupReason({ owner_id }: Standing, backup: Backup): string | null {
  switch (backup.kind) {
    case 'none':
      return 'its mailbox has none';
    case 'no_mailbox':
      return 'the fax is in no mailbox';
    case 'unable':
      return `${backup.name} cannot see the document, is disabled, or has not set their own password`;
    case 'person':
      return owner_id === backup.person.id ? `it is already assigned to ${backup.person.name}` : null;
    default:
      return backup satisfies never;
  }
}
