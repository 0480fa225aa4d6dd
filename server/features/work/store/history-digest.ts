import { chainDigest } from '../../../platform/chain-digest.ts';
import type { HistoryRow, ItemRow } from '../types.ts';

/** Returns the digest of a history entry, over all its fields with its position and the digest of the entry before it. */
export function digestOfEntry(row: Omit<HistoryRow, 'digest'>): string {
  return chainDigest([
    'work_history',
    row.item_id,
    row.position,
    row.previous,
    row.id,
    row.kind,
    row.occurred_at,
    row.actor_id,
    row.actor,
    row.text,
    row.owner_id,
    row.owner,
    row.item_version,
    row.item_digest,
  ]);
}

/** Returns the digest of a work item, over the fields that its history proves. */
export function digestOfItem(row: ItemRow): string {
  return chainDigest([
    'work_item',
    row.id,
    row.inbound_fax_id,
    row.version,
    row.mailbox_id,
    row.from_number,
    row.to_number,
    row.pages,
    row.sha256,
    row.is_test,
    row.available_at,
    row.updated_at,
    row.duplicate_of,
    row.due_at,
    row.due_hours,
    row.due_source,
    row.awaited_until,
    row.missed_at,
    row.state_key,
    row.owner_id,
    row.assigned_at,
    row.acknowledged_by,
    row.acknowledged_at,
    row.escalated_to,
    row.escalated_at,
    row.done_by,
    row.done_at,
    row.done_note,
    row.list_key,
  ]);
}
