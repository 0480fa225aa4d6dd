import { incomingKey, numbersOf } from '../calls/received-call.ts';
import { findCall } from '../calls/store.ts';
import type { TelephonyParts } from '../parts.ts';
import { lineAccountOf } from './engine-source.ts';
import { failureSentence } from './failure.ts';
import { readNote } from './note.ts';
import { idOfPath } from './take-hand-over.ts';
import type { FailedCall } from './types.ts';

/**
 * Returns the facts of the call of an image: from the note that the script left beside it, else from the call log,
 * which has those whose hand-over was refused. Null where neither has it: then the call may still go on.
 */
export async function leftoverCall(
  parts: TelephonyParts,
  image: { readonly callId: string; readonly imagePath: string },
): Promise<FailedCall | null> {
  const note = await readNote(parts.dataFolder, image.imagePath);
  if (note === null) return earlierRefusal(parts, image);
  const { order, reason } = note;
  return {
    order,
    ...numbersOf(parts.settings, order),
    failure: reason,
    sentence: `The telephone engine could not deliver the fax. ${failureSentence(reason)}`,
  };
}

async function earlierRefusal(
  parts: TelephonyParts,
  { callId, imagePath }: { readonly callId: string; readonly imagePath: string },
): Promise<FailedCall | null> {
  const account = lineAccountOf(parts.settings);
  for (const id of [callId, idOfPath(parts.dataFolder, imagePath)]) {
    const call_key = incomingKey({ account, callId: id });
    const call = await findCall(parts.db.read, { direction: 'incoming', call_key });
    if (call?.outcome !== 'refused') continue;
    return { order: null, from: call.number, to: call.own_number, failure: null, sentence: call.sentence };
  }
  return null;
}
