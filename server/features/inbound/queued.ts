import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';

const FetchPayload = z.strictObject({ fax_id: Id });
export type FetchPayload = z.infer<typeof FetchPayload>;

/** Background work of this room by name and shape; its definition is in `fetch.ts`. */
export const fetchJob = { kind: 'inbound.fetch', schema: FetchPayload } as const;

/** People wait for it: before the polling of sent faxes. */
const PRIORITY = 60;

export const fetchKey = (faxId: string) => `inbound.fetch:${faxId}`;

/** One fetch of a fax waits at a time. */
export function fetchOf(faxId: string, runAt: number) {
  return { payload: { fax_id: faxId }, key: fetchKey(faxId), runAt, priority: PRIORITY };
}
