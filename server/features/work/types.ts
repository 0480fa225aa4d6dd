import type { WorkHistoryKind } from '../../../shared/history-kinds.ts';
import type {
  WorkHistoryTable,
  WorkItemTable,
  WorkMailboxTable,
  WorkUndoTable,
} from '../../db/schema/work.ts';

export type { Scope } from '../access/service.ts';

export type ItemRow = WorkItemTable;
export type HistoryRow = WorkHistoryTable;
export type MailboxRow = WorkMailboxTable;
export type UndoRow = WorkUndoTable;

/** `owner_id` of an item that nobody owns. */
export const NOBODY = '';

/** Fields of an item that acts on it change. */
export type Standing = Pick<
  ItemRow,
  | 'state_key'
  | 'owner_id'
  | 'awaited_until'
  | 'missed_at'
  | 'assigned_at'
  | 'acknowledged_by'
  | 'acknowledged_at'
  | 'escalated_to'
  | 'escalated_at'
  | 'done_by'
  | 'done_at'
  | 'done_note'
>;

/** Changes of an item: its standing, and the mailbox of its fax. */
export type ItemChanges = Partial<Standing & Pick<ItemRow, 'mailbox_id'>>;

/** A person as histories name them. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

/** Entry of a change in the history of its item. */
export interface HistoryEntryInput {
  readonly kind: WorkHistoryKind;
  /** One sentence for a person. */
  readonly text: string;
  /** Id of the entry; a new one when left out. */
  readonly id?: string;
  /** Actor of the change; the gateway itself when left out. */
  readonly by?: { readonly id: string | null; readonly name: string };
}

/** Received document of an earlier release. */
export interface EarlierDocument {
  /** Id of the received fax. */
  readonly id: string;
  readonly backend: string;
  readonly mailboxId: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly pages: number;
  readonly sha256: string;
  readonly receivedAt: string;
}
