import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import type { InboundParts } from './parts.ts';

const FetchPayload = z.strictObject({ fax_id: Id });
export type FetchPayload = z.infer<typeof FetchPayload>;

/** Job that fetches the document of a fax, by name and shape. Its definition is in `arriving/fetch.ts`. */
export const fetchJob = { kind: 'inbound.fetch', schema: FetchPayload } as const;

export const fetchKey = (faxId: string) => `inbound.fetch:${faxId}`;

/** Returns the queue entry for a fetch of a fax; one waits at a time. */
export function fetchOf(faxId: string, runAt: number) {
  return { payload: { fax_id: faxId }, key: fetchKey(faxId), runAt };
}

/** Makes the next attempt now. */
export async function fetchNow(
  { queue, clock }: Pick<InboundParts, 'queue' | 'clock'>,
  tx: WriteTx,
  faxId: string,
): Promise<void> {
  await queue.withdraw(tx, fetchKey(faxId));
  await queue.enqueue(tx, fetchJob, fetchOf(faxId, clock.now()));
}

/** Returns the changes that let a fax wait for its document again, without the failures so far. */
export function restartChanges({ clock }: Pick<InboundParts, 'clock'>) {
  return { status: 'waiting', failures: 0, retry_at: isoTime(clock.now()), problem: null } as const;
}
