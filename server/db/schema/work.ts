import type { WorkHistoryKind } from '../../../shared/history-kinds.ts';
import type { WorkDueSource, WorkStateKey } from '../../../shared/states/work.ts';

type Flag = 0 | 1;

/** One for each received document that needs an owner. What it says of the document never changes. */
export interface WorkItemTable {
  id: string;
  inbound_fax_id: string;
  version: number;
  /** Current mailbox of the fax. */
  mailbox_id: string | null;
  /** E.164; null while nobody reported it. */
  from_number: string | null;
  to_number: string | null;
  pages: number;
  sha256: string;
  is_test: Flag;
  /** Time at which the document was filed, or its fax came out of Junk for the first time. */
  available_at: string;
  updated_at: string;
  /** The first item with the same bytes, where there was one before. */
  duplicate_of: string | null;
  /** Computed once; null without a target. */
  due_at: string | null;
  due_hours: number | null;
  due_source: WorkDueSource | null;
  /** The due time while an acknowledgement is awaited; null without a target, when it was met, and when it was missed. */
  awaited_until: string | null;
  /** Time at which it was recorded that the due time had passed. */
  missed_at: string | null;
  /** As it was recorded; an assigned item past its due time is overdue before that is recorded. */
  state_key: WorkStateKey;
  /** Empty for nobody, so that the index of owners has a place for them. */
  owner_id: string;
  assigned_at: string | null;
  acknowledged_by: string | null;
  acknowledged_at: string | null;
  escalated_to: string | null;
  escalated_at: string | null;
  done_by: string | null;
  done_at: string | null;
  done_note: string | null;
  /** Its place in every list: `list-key.ts`. */
  list_key: string;
  /** The end of its history: how many entries, and the digest of the last. */
  history_count: number;
  history_digest: string;
  /** Both, sealed with the data key. */
  history_end: string | null;
}

/** Append-only; each entry holds the digest of the one before. */
export interface WorkHistoryTable {
  id: string;
  item_id: string;
  /** Counts from 1. */
  position: number;
  kind: WorkHistoryKind;
  occurred_at: string;
  /** Null for the gateway. */
  actor_id: string | null;
  actor: string;
  text: string;
  /** Owner of the item from then on, with their name at that time. */
  owner_id: string | null;
  owner: string | null;
  /** The version of the item that this belongs to. */
  item_version: number;
  /** Of the item as it became. */
  item_digest: string;
  previous: string;
  digest: string;
}

/** Settings for the items of a mailbox; without a row, those of the installation apply. */
export interface WorkMailboxTable {
  mailbox_id: string;
  /** 0 for no target, null for that of the installation. */
  acknowledge_hours: number | null;
  backup_principal_id: string | null;
  version: number;
  updated_at: string;
}

/** Change that a person made to an item in the last seconds and can undo; deleted a little later. */
export interface WorkUndoTable {
  item_id: string;
  /** Of the item since that change. */
  version: number;
  principal_id: string;
  /** assign, acknowledge, done, note, reopen or junk. */
  kind: string;
  at: string;
  /** State of the item before, as JSON. */
  standing: string;
}

export interface WorkTables {
  work_item: WorkItemTable;
  work_history: WorkHistoryTable;
  work_mailbox: WorkMailboxTable;
  work_undo: WorkUndoTable;
}
