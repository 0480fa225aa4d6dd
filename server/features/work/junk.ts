import type { FiledHandler } from '../inbound/port.ts';
import { actingPerson, carryOut } from './acts.ts';
import { createItem, getsItem } from './create-item.ts';
import { refused } from './errors.ts';
import type { WorkParts } from './parts.ts';
import { listHistory } from './store/history-store.ts';
import { findItemOfFax } from './store/item-store.ts';
import { deleteUndo } from './store/undo-store.ts';
import { findUndoBy, restoreStanding } from './undo.ts';
import { refusalOf, stateOf } from './work-state.ts';

/**
 * Closes the open item of a fax that goes to Junk, and opens it again when the fax comes back; a fax that was never in the
 * queue gets its item then. An item that was finished before stays finished.
 */
export function itemsAndJunk(parts: WorkParts): Pick<FiledHandler, 'onJunked' | 'onReturned'> {
  return {
    async onJunked(tx, { id, caller }) {
      const row = await findItemOfFax(tx, id);
      if (!row || stateOf(row.state_key) === 'done') return;
      const person = actingPerson(caller, row);
      const refusal = refusalOf(row, 'junk', person);
      if (refusal !== null) throw refused(refusal);
      await carryOut(parts, tx, row, { act: { kind: 'junk' }, person });
    },
    async onReturned(tx, { fax, caller }) {
      const row = await findItemOfFax(tx, fax.id);
      if (!row && !getsItem(parts, fax)) return;
      if (!row) return createItem(parts, tx, fax, { takenOutBy: caller.principal.displayName });
      if (stateOf(row.state_key) !== 'done') return;
      const last = await findUndoBy(parts, tx, row, caller);
      if (last?.kind === 'junk') {
        await restoreStanding(parts, tx, row, last, caller);
        return;
      }
      const closing = (await listHistory(tx, row.id)).findLast(
        ({ kind }) => kind === 'done' || kind === 'junk',
      );
      if (closing?.kind !== 'junk') return;
      await carryOut(parts, tx, row, { act: { kind: 'not_junk' }, person: actingPerson(caller, row) });
      await deleteUndo(tx, row.id);
    },
  };
}
