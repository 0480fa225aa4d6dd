import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import { newId } from '../../../platform/ids.ts';
import type { CallLog, LineCall } from '../../outbound/port.ts';
import type { TelephonyParts } from '../parts.ts';
import { sentCall } from './sent-call.ts';
import { changeCall, findCall, insertCall } from './store.ts';
import type { CallRow, ReportedCall } from './types.ts';

type LogParts = Pick<TelephonyParts, 'db' | 'clock' | 'events'>;

/** Creates the log for the calls of the room of sent faxes. */
export function createCallLog(parts: LogParts): CallLog {
  return { ended: (tx: WriteTx, call: LineCall) => logCall(parts, tx, sentCall(call)) };
}

/**
 * Records a call as one entry, whatever its source and however often it is reported. A later report is used where it
 * adds something: the engine's note of a call that seemed lost, or the fax of a call that was refused before.
 */
export async function logCall(parts: LogParts, tx: WriteTx, reported: ReportedCall): Promise<void> {
  const row: CallRow = { ...reported, id: newId(), version: 1, recorded_at: isoTime(parts.clock.now()) };
  if (await insertCall(tx, row)) return notifyOnCommit(parts, tx, row);
  const known = await findCall(tx, reported);
  const more = known && newFields(reported, known);
  const changed = known && more && (await changeCall(tx, known, more));
  if (changed) notifyOnCommit(parts, tx, changed);
}

/** Returns the values that a report adds to the entry; null for none. Values that the report does not have stay. */
function newFields(reported: ReportedCall, known: CallRow): Partial<ReportedCall> | null {
  if (known.direction === 'outgoing')
    return known.ended_at === null && reported.ended_at !== null ? reported : null;
  if (known.outcome === 'refused')
    return reported.sentence === known.sentence ? null : pickReported(reported, () => true);
  if (reported.outcome === 'refused') return null;
  const added = pickReported(reported, (name) => known[name] === null);
  if (Object.keys(added).length === 0) return null;
  return { ...added, outcome: reported.outcome, sentence: reported.sentence };
}

function pickReported(
  reported: ReportedCall,
  isWanted: (name: keyof ReportedCall) => boolean,
): Partial<ReportedCall> {
  const names = (Object.keys(reported) as (keyof ReportedCall)[]).filter(
    (name) => reported[name] !== null && isWanted(name),
  );
  return Object.fromEntries(names.map((name) => [name, reported[name]]));
}

function notifyOnCommit({ db, events }: LogParts, tx: WriteTx, { id, version }: CallRow): void {
  db.onCommit(tx, () => events.publish('call.changed', { id, version }));
}
