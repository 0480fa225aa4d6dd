import type { WriteTx } from '../../../db/database.ts';
import { isoTime } from '../../../platform/clock.ts';
import type { OutboundParts } from '../parts.ts';
import type { Lines } from '../queue/lines.ts';
import { callState, findCall, lockCalls, removeCall, setCallEnd } from '../store/call-store.ts';
import type { Fax } from '../transition/fact.ts';

type Parts = Pick<OutboundParts, 'db' | 'clock' | 'logger' | 'storage'> & { readonly lines: Lines };

/** Updates calls when their faxes change. */
export interface CallSettler {
  /**
   * Updates a call after one of its faxes changed: the call ends with its last attempt under way, and is reopened when an
   * unconfirmed fax turns out to be under way. A call that ends releases its line to waiting faxes.
   */
  settle(tx: WriteTx, before: Fax, after: Fax): Promise<void>;
}

export function createCallSettler(parts: Parts): CallSettler {
  return { settle: (tx, before, after) => settleCall(parts, tx, before, after) };
}

async function settleCall(parts: Parts, tx: WriteTx, before: Fax, after: Fax): Promise<void> {
  const { job, attempt } = after;
  // Falls back to the earlier call, because a fax that was put back has none.
  const callId = attempt?.call_id ?? before.attempt?.call_id ?? null;
  if (!attempt || callId === null || before.job.delivery_state === job.delivery_state) return;
  await lockCalls(tx, parts.db.capabilities);
  const { isUnderWay, isOpen } = await callState(tx, callId);
  const call = await findCall(tx, callId);
  if (isUnderWay) {
    if (call && call.ended_at !== null) await setCallEnd(tx, callId, null);
    return;
  }
  if (isOpen) await setCallEnd(tx, callId, isoTime(parts.clock.now()));
  else await removeCallAndDocument(parts, tx, callId, call?.artifact ?? null);
  if (call?.ended_at === null) await parts.lines.release(tx, call);
}

/** Removes a call and its document: the pages are also in the documents of its faxes. */
async function removeCallAndDocument(
  { db, storage, logger }: Pick<OutboundParts, 'db' | 'logger' | 'storage'>,
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
