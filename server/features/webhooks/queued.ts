import { z } from 'zod';
import { Id } from '../../../shared/api/values.ts';
import type { WriteTx } from '../../db/database.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import { MAX_WAIT_MS } from './outcome.ts';
import type { WebhookParts } from './parts.ts';
import { insertDelivery } from './store/delivery-store.ts';
import { lockEndpoint } from './store/endpoint-store.ts';
import type { EndpointRow, EventRow } from './types.ts';

/** Job that adds an event to the endpoints for it. Its definition is in `announce.ts`. */
export const announceJob = {
  kind: 'webhooks.announce',
  schema: z.strictObject({ event_id: Id }),
} as const;

/** Job that sends the messages of an endpoint, one after another. Its definition is in `deliver.ts`. */
export const deliverJob = {
  kind: 'webhooks.deliver',
  schema: z.strictObject({ endpoint_id: Id }),
} as const;

const deliverKey = (endpointId: string) => `webhook:${endpointId}`;

/** Makes the job of an endpoint due. The caller holds the lock on the endpoint, so that the job cannot end at the same time. */
export async function planDelivery(
  { queue }: Pick<WebhookParts, 'queue'>,
  tx: WriteTx,
  endpointId: string,
): Promise<void> {
  const key = deliverKey(endpointId);
  const isNew = await queue.enqueue(tx, deliverJob, { payload: { endpoint_id: endpointId }, key });
  if (!isNew) await queue.makeDue(tx, key);
}

/**
 * Returns the time of the first attempt (ISO 8601 UTC): `now` (epoch ms), or the end of the pause that the server requested.
 * Ignores a time further ahead than any pause, which comes from a clock that has been set back since.
 */
export function firstAttemptAt({ wait_until }: Pick<EndpointRow, 'wait_until'>, now: number): string {
  const until = wait_until === null ? now : epochOf(wait_until);
  return isoTime(until > now && until <= now + MAX_WAIT_MS ? until : now);
}

/**
 * Adds a delivery of an event to an endpoint, due at once unless the server requested a pause. Returns its ID, or null when
 * the endpoint was removed.
 */
export async function addDelivery(
  parts: Pick<WebhookParts, 'db' | 'queue' | 'clock'>,
  tx: WriteTx,
  endpointId: string,
  event: Pick<EventRow, 'id' | 'occurred_at'>,
): Promise<string | null> {
  const endpoint = await lockEndpoint(tx, parts.db.capabilities, endpointId);
  if (!endpoint) return null;
  const now = parts.clock.now();
  const at = isoTime(now);
  const id = newId();
  await insertDelivery(tx, {
    id,
    event_id: event.id,
    endpoint_id: endpointId,
    state: 'waiting',
    problem: null,
    attempts: 0,
    failures: 0,
    begun_at: at,
    retry_at: firstAttemptAt(endpoint, now),
    version: 1,
    occurred_at: event.occurred_at,
    updated_at: at,
  });
  await planDelivery(parts, tx, endpointId);
  return id;
}
