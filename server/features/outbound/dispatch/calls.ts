import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import { callState, findCall, removeCall, setCallEnd, takeCallTurn } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';
import { callAfter } from './lines.ts';

/**
 * Brings a call in line with what became of a fax of it: it ends with the last attempt that is under way, and goes on again
 * when one that nobody could tell about is found under way. What ends lets those go that wait for a line.
 */
export async function settleCall(parts: OutboundParts, tx: WriteTx, before: Fax, after: Fax): Promise<void> {
  const { job, attempt } = after;
  // That of before, for one that was put back is in no call.
  const callId = attempt?.call_id ?? before.attempt?.call_id ?? null;
  if (!attempt || callId === null || before.job.delivery_state === job.delivery_state) return;
  await takeCallTurn(tx, parts.db.capabilities);
  const { goesOn, isOpen } = await callState(tx, callId);
  const call = await findCall(tx, callId);
  if (goesOn) {
    if (call && call.ended_at !== null) await setCallEnd(tx, callId, null);
    return;
  }
  if (isOpen) await setCallEnd(tx, callId, isoTime(parts.clock.now()));
  else await removeWith(parts, tx, callId, call?.artifact ?? null);
  if (call?.ended_at === null) await callAfter(parts, tx, call);
}

/** What the call sent is in the documents of its faxes. */
async function removeWith(
  { db, storage, logger }: OutboundParts,
  tx: WriteTx,
  callId: string,
  artifact: string | null,
): Promise<void> {
  await removeCall(tx, callId);
  if (artifact === null) return;
  db.onCommit(tx, () => {
    storage.remove(artifact).catch((error: unknown) => {
      logger.warn({ error }, 'the document of a call could not be removed');
    });
  });
}
