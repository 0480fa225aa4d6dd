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
import type { ItemRow, Standing } from './types.ts';
import { assertMay } from './visibility.ts';
import { afterUndo } from './work-state.ts';

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
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'work:read', await findItem(tx, id));
    if (row.version !== version) throw itemChanged();
    const last = await findUndo(tx, id);
    const { id: callerId, displayName: name } = caller.principal;
    const oldest = oldestUndo(parts);
    if (!last || last.version !== version || last.principal_id !== callerId || last.at < oldest)
      throw refused('not_undoable');
    const kind = last.kind as ActRequest['kind'];
    assertMay(caller, REQUIRED_PERMISSIONS[kind], row);
    const before = JSON.parse(last.standing) as Standing;
    const changed = await change(parts, tx, row, afterUndo(before, kind, { id: callerId, name }));
    // The retry reads it again, and finds whether another change came first or only its history grew.
    if (!changed) throw new ItemChangedError(`the work item ${id} was changed meanwhile`);
    await deleteUndo(tx, id);
    return changed;
  });
}

/** Deletes what can be undone no more. */
export async function deleteOldUndo(parts: Pick<WorkParts, 'clock'>, tx: WriteTx): Promise<void> {
  await deleteUndoBefore(tx, oldestUndo(parts));
}

const oldestUndo = ({ clock }: Pick<WorkParts, 'clock'>): string =>
  isoTime(clock.now() - LIMITS.undoSeconds * 1_000);
