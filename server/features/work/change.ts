import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { principalNames } from '../access/service.ts';
import { withEntries } from './history.ts';
import type { WorkParts } from './parts.ts';
import { insertEntries } from './store/history-store.ts';
import { insertItem, updateItem } from './store/item-store.ts';
import { listKey } from './store/list-key.ts';
import type { HistoryEntryInput, ItemChanges, ItemRow } from './types.ts';

/**
 * Changes an item and records the reason, in one transaction with everything else about it; notifies consoles after the
 * commit. Null when the item was changed since it was read: then nothing is written.
 */
export async function change(
  parts: WorkParts,
  tx: WriteTx,
  row: ItemRow,
  {
    changes,
    newEntries,
  }: { readonly changes: ItemChanges; readonly newEntries: readonly HistoryEntryInput[] },
): Promise<ItemRow | null> {
  const at = isoTime(parts.clock.now());
  const changed = { ...row, ...changes, version: row.version + 1, updated_at: at };
  const { item, entries } = await withHistory(parts, tx, changed, newEntries, at);
  if (!(await updateItem(tx, item, row))) return null;
  await insertEntries(tx, entries);
  notifyOnCommit(parts, tx, item);
  if (row.missed_at === null && item.missed_at !== null)
    await parts.overdue.passed(tx, { id: item.id, faxId: item.inbound_fax_id });
  return item;
}

/** Makes an item, which begins its history. */
export async function create(
  parts: WorkParts,
  tx: WriteTx,
  row: Omit<ItemRow, 'list_key'>,
  entry: HistoryEntryInput,
): Promise<ItemRow> {
  const { item, entries } = await withHistory(parts, tx, { ...row, list_key: '' }, [entry], row.available_at);
  await insertItem(tx, item);
  await insertEntries(tx, entries);
  notifyOnCommit(parts, tx, item);
  return item;
}

async function withHistory(
  parts: WorkParts,
  tx: WriteTx,
  row: ItemRow,
  newEntries: readonly HistoryEntryInput[],
  at: string,
) {
  const listed = { ...row, list_key: listKey(row) };
  const { owner_id } = row;
  const ownerName = owner_id === '' ? null : ((await principalNames(tx, [owner_id])).get(owner_id) ?? null);
  return withEntries(parts.seal, listed, newEntries, { at, ownerName });
}

/** Notifies consoles of an item after the commit. */
export function notifyOnCommit(parts: Pick<WorkParts, 'db' | 'events'>, tx: WriteTx, row: ItemRow): void {
  const { id, version, inbound_fax_id, mailbox_id } = row;
  parts.db.onCommit(tx, () =>
    parts.events.publish('work.changed', { id, version, inbound_fax_id, mailbox_id }),
  );
}
