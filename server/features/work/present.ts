import type { z } from 'zod';
import type { WorkHistory, WorkItem, WorkItemDetails } from '../../../shared/api/work-shapes.ts';
import { WORK_STATE_TEXT } from '../../../shared/states/work.ts';
import { type FaxAbout, NO_ABOUT } from '../../platform/fax-about.ts';
import type { ContactName } from '../contacts/types.ts';
import { dueText } from './target.ts';
import type { HistoryRow, ItemRow, Person } from './types.ts';
import { NOBODY } from './types.ts';
import { actionsOf, isOverdue, mayNote, noteIntro, stateKeyAt, stateOf } from './work-state.ts';

export type WorkItemAnswer = z.infer<typeof WorkItem>;

/** Values that a row does not hold. */
export interface RelatedValues {
  readonly labels: ReadonlyMap<string, string>;
  readonly names: ReadonlyMap<string, string>;
  /** Names of the backup people, by mailbox. */
  readonly backups: ReadonlyMap<string, string>;
  /** Earlier items with the same bytes, of those that the caller sees: when their documents came. */
  readonly earlier: ReadonlyMap<string, string>;
  /** Contacts by E.164 number; empty for a caller who may not see contacts. */
  readonly contacts: ReadonlyMap<string, ContactName>;
  /** Descriptions by fax; those without any value are left out. */
  readonly about: ReadonlyMap<string, FaxAbout>;
  /** Sentences about pages that may be missing, by fax. */
  readonly incomplete: ReadonlyMap<string, string>;
  /** Faxes in Junk. */
  readonly junk: ReadonlySet<string>;
  readonly manages: boolean;
  readonly callerId: string;
  /** ISO 8601 UTC. */
  readonly now: string;
}

export function presentItem(row: ItemRow, related: RelatedValues): WorkItemAnswer {
  const { names, labels, now } = related;
  const key = stateKeyAt(row, now);
  const state = stateOf(key);
  const person = (id: string | null): Person | null =>
    id === null || id === NOBODY ? null : { id, name: names.get(id) ?? 'A former person' };
  const isJunk = related.junk.has(row.inbound_fax_id);
  const nameOf = (id: string | null) => person(id)?.name ?? null;
  return {
    id: row.id,
    inbound_fax_id: row.inbound_fax_id,
    state,
    state_key: key,
    state_text: WORK_STATE_TEXT[key],
    due_at: row.due_at,
    due_text: row.due_at === null || state !== 'open' ? null : dueText(row.due_at, now),
    due_hours: row.due_hours,
    due_source: row.due_source,
    available_at: row.available_at,
    from_number: row.from_number,
    contact: related.contacts.get(row.from_number ?? '') ?? null,
    to_number: row.to_number,
    pages: row.pages,
    ...(related.about.get(row.inbound_fax_id) ?? NO_ABOUT),
    incomplete: related.incomplete.has(row.inbound_fax_id),
    problem: related.incomplete.get(row.inbound_fax_id) ?? null,
    mailbox: row.mailbox_id === null ? null : (labels.get(row.mailbox_id) ?? null),
    owner: person(row.owner_id),
    backup: person(row.escalated_to ?? related.backups.get(row.mailbox_id ?? '') ?? null),
    assigned_at: row.assigned_at,
    acknowledged_by: nameOf(row.acknowledged_by),
    acknowledged_at: row.acknowledged_at,
    escalated_at: row.escalated_at,
    done_at: row.done_at,
    done_by: nameOf(row.done_by),
    done_note: row.done_note,
    duplicate_of: earlierOf(row, related),
    is_mine: row.owner_id === related.callerId,
    overdue: isOverdue(row, now),
    is_test: row.is_test === 1,
    junk: isJunk,
    version: row.version,
    actions: actionsOf(row, { id: related.callerId, manages: related.manages }).filter(
      (action) => !isJunk || (action !== 'assign' && action !== 'reopen'),
    ),
    may_note: mayNote(row, { id: related.callerId, manages: related.manages }),
  };
}

function earlierOf({ duplicate_of }: ItemRow, { earlier }: RelatedValues): WorkItemAnswer['duplicate_of'] {
  const at = duplicate_of === null ? undefined : earlier.get(duplicate_of);
  return duplicate_of === null || at === undefined ? null : { id: duplicate_of, available_at: at };
}

export function presentHistory(rows: readonly HistoryRow[]): z.infer<typeof WorkHistory> {
  return {
    events: rows.map(({ kind, occurred_at, actor, text, actor_id, owner_id, owner, item_version }) => ({
      kind,
      occurred_at,
      actor,
      text,
      actor_id,
      owner: owner_id === null ? null : { id: owner_id, name: owner ?? 'A former person' },
      version: item_version,
    })),
  };
}

/** Returns the notes in a history, without those that were taken back. */
export function presentNotes(rows: readonly HistoryRow[]): z.infer<typeof WorkItemDetails>['notes'] {
  const undone = new Set(rows.flatMap((row) => (row.kind === 'undone' ? row.item_version - 1 : [])));
  return rows
    .filter(({ kind, item_version }) => kind === 'noted' && !undone.has(item_version))
    .map(({ text, actor, occurred_at }) => ({
      text: text.slice(noteIntro(actor).length),
      by: actor,
      at: occurred_at,
    }));
}

/** Returns the last change of the owner; null when there was none. `rows` are the history, oldest first. */
export function presentOwnerChange(
  rows: readonly HistoryRow[],
  callerId: string,
): z.infer<typeof WorkItemDetails>['owner_change'] {
  const index = rows.findLastIndex((row, at) => row.owner_id !== (rows[at - 1]?.owner_id ?? null));
  const row = rows[index];
  if (!row) return null;
  return {
    at: row.occurred_at,
    by: row.actor,
    by_me: row.actor_id === callerId,
    from_me: (rows[index - 1]?.owner_id ?? null) === callerId,
  };
}
