import type { z } from 'zod';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { WebhookDelivery, webhooksRoutes } from '../../../shared/api/webhooks.ts';
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_TEST,
  type WebhookDeliveryState,
} from '../../../shared/states/webhooks.ts';
import { isoTime } from '../../platform/clock.ts';
import { newId } from '../../platform/ids.ts';
import type { Caller } from '../access/service.ts';
import { offReason } from './deliver.ts';
import { recordChange, requireEndpoint } from './endpoints.ts';
import { DeliveryChangedError, noSuchDelivery, noSuchEndpoint, notSent } from './errors.ts';
import type { WebhookParts } from './parts.ts';
import { addDelivery, firstAttemptAt, planDelivery } from './queued.ts';
import { eventId } from './record-event.ts';
import {
  attemptsOf,
  changeDelivery,
  countDeliveries,
  type DeliveryFilter,
  findDelivery,
  insertEvent,
  listDeliveries,
} from './store/delivery-store.ts';
import { lockEndpoint } from './store/endpoint-store.ts';
import type { DeliveryWithEvent } from './types.ts';

export type DeliveryAnswer = z.infer<typeof WebhookDelivery>;
export type DeliveryDetails = AnswerOf<typeof webhooksRoutes.getDelivery>;

/** Newest first, with how many there are in every state. */
export async function readDeliveries(parts: Pick<WebhookParts, 'db'>, filter: DeliveryFilter) {
  const { items, next_cursor } = await listDeliveries(parts.db.read, filter);
  return { items: items.map(presentDelivery), next_cursor, counts: await countByState(parts) };
}

export async function countByState({
  db,
}: Pick<WebhookParts, 'db'>): Promise<Record<WebhookDeliveryState, number>> {
  const counts = Object.fromEntries(WEBHOOK_DELIVERY_STATES.map((state) => [state, 0])) as Record<
    WebhookDeliveryState,
    number
  >;
  for (const { state, deliveries } of await countDeliveries(db.read)) counts[state] = deliveries;
  return counts;
}

/** Reads a delivery with its attempts. Throws 404. */
export async function readDelivery({ db }: Pick<WebhookParts, 'db'>, id: string): Promise<DeliveryDetails> {
  const row = await findDelivery(db.read, id);
  if (!row) throw noSuchDelivery();
  const attempts = await attemptsOf(db.read, id);
  return {
    ...presentDelivery(row),
    body: row.body,
    attempt_list: attempts.map(({ number, at, duration_ms, status, problem }) => ({
      number,
      at,
      duration_ms,
      status,
      sentence: problem,
    })),
  };
}

/**
 * Sends a delivery again under its id, or a waiting one now; after the pause that the server asked for. Throws 404 and 409
 * refusals.
 */
export async function sendAgain(parts: WebhookParts, caller: Caller, id: string): Promise<DeliveryAnswer> {
  const { db, clock } = parts;
  return db.transaction(async (tx) => {
    const found = await findDelivery(tx, id);
    const endpoint = found && (await lockEndpoint(tx, db.capabilities, found.endpoint_id));
    // Read again: the lock may have waited for an attempt.
    const row = await findDelivery(tx, id);
    if (!endpoint || !row) throw noSuchDelivery();
    const reason = offReason(parts, endpoint);
    if (reason !== null) throw notSent(reason);
    const at = isoTime(clock.now());
    const retry_at = firstAttemptAt(endpoint, clock.now());
    const anew = { state: 'waiting', problem: null, failures: 0, begun_at: at, retry_at } as const;
    if (!(await changeDelivery(tx, row, { ...anew, updated_at: at })))
      throw new DeliveryChangedError(`the delivery ${id} was changed meanwhile`);
    await planDelivery(parts, tx, endpoint.id);
    const target = { kind: 'webhook_delivery', id };
    await recordChange(parts, tx, caller, { operation: 'webhook.send_again', row: endpoint, target });
    return presentDelivery({ ...row, ...anew, updated_at: at, version: row.version + 1 });
  });
}

/** Sends an event that announces nothing. Throws 404 and 409 refusals. */
export async function sendTest(
  parts: WebhookParts,
  caller: Caller,
  endpointId: string,
): Promise<DeliveryAnswer> {
  const { db, clock } = parts;
  return db.transaction(async (tx) => {
    const endpoint = await requireEndpoint(tx, endpointId);
    const reason = offReason(parts, endpoint);
    if (reason !== null) throw notSent(reason);
    const occurred_at = isoTime(clock.now());
    const event = {
      id: eventId(`${WEBHOOK_TEST} ${newId()}`),
      type: WEBHOOK_TEST,
      subject_id: null,
      test: endpoint.test,
      body: JSON.stringify({ type: WEBHOOK_TEST, timestamp: occurred_at, data: { endpoint_id: endpointId } }),
      occurred_at,
    } as const;
    await insertEvent(tx, event);
    const id = await addDelivery(parts, tx, endpointId, event);
    const row = id === null ? undefined : await findDelivery(tx, id);
    if (!row) throw noSuchEndpoint();
    await recordChange(parts, tx, caller, { operation: 'webhook.test', row: endpoint });
    return presentDelivery(row);
  });
}

function presentDelivery(row: DeliveryWithEvent): DeliveryAnswer {
  const { id, endpoint_id, event_id, type, subject_id, state, problem, attempts, retry_at } = row;
  const { version, occurred_at, updated_at } = row;
  return {
    id,
    endpoint_id,
    webhook_id: event_id,
    type,
    subject_id,
    state,
    sentence: problem,
    attempts,
    retry_at,
    version,
    occurred_at,
    updated_at,
  };
}
