import { LIMITS } from '../../../shared/limits.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';
import { type ActRequest, REQUIRED_PERMISSIONS } from './acts.ts';
import { change } from './change.ts';
import { ItemChangedError } from './create-item.ts';
import { itemChanged, refused } from './errors.ts';
import type { WorkParts } from './parts.ts';
import { findItem } from './store/item-store.ts';
import { deleteUndo, deleteUndoBefore, findUndo } from './store/undo-store.ts';
import type { ItemRow, Standing, UndoRow } from './types.ts';
import { assertMay } from './visibility.ts';
import { type Act, afterUndo } from './work-state.ts';

/**
 * Undoes the caller's last act on an item, within ten seconds and while nothing else happened to it. Throws 404 for an
 * item they may not see, 403 for an act they are no longer allowed, and 409 for a stale version or where there is
 * nothing of theirs to undo. A due time that passed meanwhile is handled with all others.
 */
export async function undo(
  parts: WorkParts,
  caller: Caller,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<ItemRow> {
  const undone = await parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'work:read', await findItem(tx, id));
    if (row.version !== version) throw itemChanged();
    const last = await findUndoBy(parts, tx, row, caller);
    if (!last) throw refused('not_undoable');
    if (last.kind === 'junk') return { faxId: row.inbound_fax_id };
    const kind = last.kind as ActRequest['kind'];
    assertMay(caller, REQUIRED_PERMISSIONS[kind], row);
    return restoreStanding(parts, tx, row, last, caller);
  });
  if (!('faxId' in undone)) return undone;
  // The sender and the fax come back with the item, in a transaction of the room of received faxes.
  await parts.inbound.undoJunk(caller, undone.faxId);
  return assertMay(caller, 'work:read', await findItem(parts.db.read, id));
}

/** Returns the undo of the last act on an item while the caller, who did it, can use it; undefined otherwise. */
export async function findUndoBy(
  parts: Pick<WorkParts, 'clock'>,
  tx: WriteTx,
  row: ItemRow,
  caller: Caller,
): Promise<UndoRow | undefined> {
  const last = await findUndo(tx, row.id);
  const isOwn = last?.version === row.version && last.principal_id === caller.principal.id;
  return last && isOwn && last.at >= oldestUndo(parts) ? last : undefined;
}

/** Restores the standing of an item before its last act. */
export async function restoreStanding(
  parts: WorkParts,
  tx: WriteTx,
  row: ItemRow,
  last: UndoRow,
  caller: Caller,
): Promise<ItemRow> {
  const { id, displayName: name } = caller.principal;
  const before = JSON.parse(last.standing) as Standing;
  const changed = await change(parts, tx, row, afterUndo(before, last.kind as Act['kind'], { id, name }));
  // The retry reads it again, and finds whether another change came first or only its history grew.
  if (!changed) throw new ItemChangedError(`the work item ${row.id} was changed meanwhile`);
  await deleteUndo(tx, row.id);
  return changed;
}

/** Deletes the acts that can no longer be undone. */
export async function deleteOldUndo(parts: Pick<WorkParts, 'clock'>, tx: WriteTx): Promise<void> {
  await deleteUndoBefore(tx, oldestUndo(parts));
}

const oldestUndo = ({ clock }: Pick<WorkParts, 'clock'>): string =>
  isoTime(clock.now() - LIMITS.undoSeconds * 1_000);
