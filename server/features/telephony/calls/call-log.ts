import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { CallLog, LineCall } from '../../outbound/port.ts';
import type { TelephonyParts } from '../parts.ts';
import { sentCall } from './sent-call.ts';
import { changeCall, findCall, insertCall } from './store.ts';
import type { CallRow, ToldCall } from './types.ts';

type LogParts = Pick<TelephonyParts, 'db' | 'clock' | 'announcer'>;

/** Creates the log for the calls of the room of sent faxes. */
export function createCallLog(parts: LogParts): CallLog {
  return { ended: (tx: WriteTx, call: LineCall) => logCall(parts, tx, sentCall(call)) };
}

/**
 * Records a call as one entry, from whatever source and however often it is reported. A later report counts where it
 * has more: the engine's note of a call that seemed lost, or the fax of a call that was refused before.
 */
export async function logCall(parts: LogParts, tx: WriteTx, told: ToldCall): Promise<void> {
  const row: CallRow = { ...told, id: newId(), version: 1, recorded_at: isoTime(parts.clock.now()) };
  if (await insertCall(tx, row)) return announce(parts, tx, row);
  const known = await findCall(tx, told);
  const more = known && moreOf(told, known);
  const changed = known && more && (await changeCall(tx, known, more));
  if (changed) announce(parts, tx, changed);
}

/** Returns what a report adds to the entry; null for nothing. Values that the report does not have stay. */
function moreOf(told: ToldCall, known: CallRow): Partial<ToldCall> | null {
  if (known.direction === 'outgoing') return known.ended_at === null && told.ended_at !== null ? told : null;
  if (known.outcome === 'refused') return told.sentence === known.sentence ? null : toldOf(told, () => true);
  if (told.outcome === 'refused') return null;
  const added = toldOf(told, (name) => known[name] === null);
  if (Object.keys(added).length === 0) return null;
  return { ...added, outcome: told.outcome, sentence: told.sentence };
}

function toldOf(told: ToldCall, isWanted: (name: keyof ToldCall) => boolean): Partial<ToldCall> {
  const names = (Object.keys(told) as (keyof ToldCall)[]).filter(
    (name) => told[name] !== null && isWanted(name),
  );
  return Object.fromEntries(names.map((name) => [name, told[name]]));
}

function announce({ db, announcer }: LogParts, tx: WriteTx, { id, version }: CallRow): void {
  db.onCommit(tx, () => announcer.announce('call.changed', { id, version }));
}
