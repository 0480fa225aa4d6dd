import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';

/** The work that makes the faxes of a broadcast. */
export const broadcastJob = {
  kind: 'broadcast.send',
  schema: z.strictObject({ broadcast_id: Id }),
} as const;
export type BroadcastPayload = z.infer<typeof broadcastJob.schema>;

export const keyOfBroadcast = (id: string): string => `broadcast.send:${id}`;

/** Returns the job of a broadcast; only one is queued at a time. */
export function broadcastJobOf(id: string, runAt?: number) {
  return {
    payload: { broadcast_id: id },
    key: keyOfBroadcast(id),
    ...(runAt === undefined ? {} : { runAt }),
  };
}
