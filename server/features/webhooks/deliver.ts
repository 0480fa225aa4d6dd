import { LIMITS } from '../../../shared/limits.ts';
import type { WebhookResult } from '../../adapters/webhooks/port.ts';
import type { WriteTx } from '../../db/database.ts';
import {
  DONE,
  defineJob,
  type JobDefinition,
  type JobResult,
  type SettledResult,
} from '../../jobs/define-job.ts';
import { epochOf, isoTime } from '../../platform/clock.ts';
import { GATEWAY_ACTOR } from '../access/service.ts';
import { recordedActor } from '../audit/service.ts';
import { DeliveryChangedError } from './errors.ts';
import { afterAttempt, askedWait, MAX_WAIT_MS, pauseReason, problemOf } from './outcome.ts';
import type { WebhookParts } from './parts.ts';
import { deliverJob } from './queued.ts';
import { signingSecrets } from './secrets.ts';
import {
  changeDelivery,
  findDelivery,
  insertAttempt,
  nextWaiting,
  postponeWaiting,
  skipWaiting,
} from './store/delivery-store.ts';
import { findEndpoint, lockEndpoint, recordHealth, updateEndpoint } from './store/endpoint-store.ts';
import { mayBeSent } from './subscriptions.ts';
import type { DeliveryWithEvent, EndpointRow } from './types.ts';

const KEY_MISSING_MS = 60_000;

/**
 * Sends the messages of an endpoint, one after another and each until it is accepted. Every endpoint has a job of its own,
 * so one that does not answer delays no other.
 */
export function defineDelivery(parts: WebhookParts): JobDefinition<{ endpoint_id: string }> {
  return defineJob({
    ...deliverJob,
    concurrency: LIMITS.webhooks.endpoints,
    // Sent again under the same id: receivers recognize it.
    lost: 'repeat',
    maxWaitMs: MAX_WAIT_MS,
    run: ({ endpoint_id }, { signal }) => deliverNext(parts, endpoint_id, signal),
  });
}

/** Reason why nothing is sent to an endpoint now, as a sentence; null when it is sent. */
export function offReason(
  { settings }: Pick<WebhookParts, 'settings'>,
  { enabled, paused_reason }: Pick<EndpointRow, 'enabled' | 'paused_reason'>,
): string | null {
  if (!settings.enabled()) return 'Webhooks are off.';
  if (enabled !== 1) return 'The webhook is off.';
  return paused_reason === null ? null : 'The webhook is paused.';
}

async function deliverNext(parts: WebhookParts, endpointId: string, signal: AbortSignal): Promise<JobResult> {
  const { db, clock, seal } = parts;
  const endpoint = await findEndpoint(db.read, endpointId);
  if (!endpoint) return DONE;
  const off = offReason(parts, endpoint);
  if (off !== null) return decide(parts, endpointId, (tx) => skipAll(parts, tx, endpointId, off));
  const delivery = await nextWaiting(db.read, endpointId);
  if (!delivery || !isDue(delivery, clock.now())) return decide(parts, endpointId);
  // Without the key of the store no message can be signed.
  if (seal.problem !== null)
    return { kind: 'retry', at: clock.now() + KEY_MISSING_MS, reason: 'the data key is missing' };
  if (!(await mayBeSent(parts, endpoint, delivery)))
    return decide(parts, endpointId, (tx) => skip(parts, tx, delivery, LOST_RIGHTS));
  const began = performance.now();
  const at = clock.now();
  const message = {
    id: delivery.event_id,
    secrets: signingSecrets(parts, endpoint),
    at,
    body: delivery.body,
  };
  const allowPrivate = parts.settings.allowsPrivate();
  const result = await parts.sender.send(endpoint.url, message, { allowPrivate, signal });
  const durationMs = Math.round(performance.now() - began);
  return decide(parts, endpointId, (tx, present) =>
    recordResult(parts, tx, { endpoint: present, delivery, result, at, durationMs }),
  );
}

const LOST_RIGHTS = 'The integration may no longer see this.';

/** A time further ahead than any wait was set by a clock that has been set back since. */
const isDue = ({ retry_at }: DeliveryWithEvent, now: number) =>
  retry_at === null || epochOf(retry_at) <= now || epochOf(retry_at) > now + MAX_WAIT_MS;

/**
 * Settles the job in one transaction with what is recorded: it runs again when the next message is due, and ends when none
 * waits. The lock keeps a message from being added in between.
 */
function decide(
  parts: WebhookParts,
  endpointId: string,
  record: (tx: WriteTx, endpoint: EndpointRow) => Promise<void> = async () => undefined,
): JobResult {
  return {
    kind: 'decide',
    async decide(tx): Promise<SettledResult> {
      const endpoint = await lockEndpoint(tx, parts.db.capabilities, endpointId);
      if (!endpoint) return DONE;
      await record(tx, endpoint);
      const next = await nextWaiting(tx, endpointId);
      if (!next?.retry_at) return DONE;
      return { kind: 'retry', at: epochOf(next.retry_at), reason: next.problem ?? 'another message waits' };
    },
  };
}

/** Result of sending a message. */
interface Sent {
  /** As it is now. */
  readonly endpoint: EndpointRow;
  /** As it was before. */
  readonly delivery: DeliveryWithEvent;
  readonly result: WebhookResult;
  /** Epoch ms. */
  readonly at: number;
  readonly durationMs: number;
}

async function recordResult(parts: WebhookParts, tx: WriteTx, sent: Sent): Promise<void> {
  const { endpoint, delivery, result, durationMs } = sent;
  // The gateway stops: the message is sent again after the next start.
  if (result.kind === 'canceled') return;
  const present = await findDelivery(tx, delivery.id);
  if (!present) return;
  const at = isoTime(sent.at);
  const problem = problemOf(result);
  const number = present.attempts + 1;
  const status = result.kind === 'answered' ? result.status : null;
  await insertAttempt(tx, {
    delivery_id: present.id,
    number,
    at,
    duration_ms: durationMs,
    status,
    problem,
  });
  const waitMs = askedWait(result);
  const changes = afterAttempt(present, { problem, waitMs, now: sent.at });
  if (!(await changeDelivery(tx, present, { ...changes, attempts: number, updated_at: at })))
    throw new DeliveryChangedError(`the delivery ${present.id} was changed meanwhile`);
  if (problem === null)
    return recordHealth(tx, endpoint.id, { failing_since: null, last_accepted_at: at, wait_until: null });
  const failing = { ...endpoint, failing_since: endpoint.failing_since ?? at };
  const wait_until = waitMs === null ? null : isoTime(sent.at + waitMs);
  await recordHealth(tx, endpoint.id, { failing_since: failing.failing_since, wait_until });
  if (wait_until !== null) await postponeWaiting(tx, endpoint.id, wait_until, at);
  const reason = pauseReason(failing, result, sent.at);
  if (reason !== null && offReason(parts, endpoint) === null) await pause(parts, tx, endpoint, reason);
}

/** Pauses an endpoint until a person turns it on again. */
async function pause(parts: WebhookParts, tx: WriteTx, endpoint: EndpointRow, reason: string): Promise<void> {
  const updated_at = isoTime(parts.clock.now());
  if (!(await updateEndpoint(tx, endpoint, { paused_reason: reason, updated_at }))) return;
  await skipAll(parts, tx, endpoint.id, 'The webhook was paused.');
  await parts.audit.record(tx, {
    ...recordedActor(GATEWAY_ACTOR),
    operation: 'webhook.pause',
    target: { kind: 'webhook', id: endpoint.id },
    outcome: 'done',
    details: { address: endpoint.url, integration: endpoint.principal_id, reason },
  });
  parts.logger.warn({ endpoint: endpoint.id, reason }, 'a webhook was paused');
}

async function skipAll(
  { clock }: WebhookParts,
  tx: WriteTx,
  endpointId: string,
  problem: string,
): Promise<void> {
  await skipWaiting(tx, endpointId, problem, isoTime(clock.now()));
}

async function skip({ clock }: WebhookParts, tx: WriteTx, { id }: DeliveryWithEvent, problem: string) {
  const present = await findDelivery(tx, id);
  const ended = { state: 'skipped', problem, retry_at: null, updated_at: isoTime(clock.now()) } as const;
  if (present?.state === 'waiting') await changeDelivery(tx, present, ended);
}
