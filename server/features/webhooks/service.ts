import type { JobDefinition } from '../../jobs/define-job.ts';
import { isoTime } from '../../platform/clock.ts';
import type { Caller } from '../access/service.ts';
import { defineAnnouncement } from './announce.ts';
import { defineCleanup } from './cleanup.ts';
import { defineDelivery } from './deliver.ts';
import {
  countByState,
  type DeliveryAnswer,
  type DeliveryDetails,
  readDeliveries,
  readDelivery,
  sendAgain,
  sendTest,
} from './deliveries.ts';
import {
  changeEndpoint,
  createEndpoint,
  type EndpointAnswer,
  type EndpointFields,
  type NewEndpoint,
  readEndpoints,
  removeEndpoint,
  replaceSecret,
} from './endpoints.ts';
import type { WebhookParts } from './parts.ts';
import type { DeliveryFilter } from './store/delivery-store.ts';
import { countTroubled } from './store/endpoint-store.ts';
import type { EndpointRead } from './types.ts';

const DAY_MS = 24 * 3_600_000;

/** Webhooks and their deliveries. Refusals are WebhookRefusalError. */
export interface WebhooksService {
  readonly jobs: readonly JobDefinition<never>[];
  isEnabled(): boolean;
  endpoints(): Promise<EndpointAnswer[]>;
  create(caller: Caller, fields: NewEndpoint): Promise<{ endpoint: EndpointAnswer; secret: string }>;
  change(caller: Caller, read: EndpointRead, fields: EndpointFields): Promise<EndpointAnswer>;
  replaceSecret(
    caller: Caller,
    order: EndpointRead & { readonly overlap_hours: number },
  ): Promise<{ endpoint: EndpointAnswer; secret: string }>;
  remove(caller: Caller, read: EndpointRead): Promise<EndpointAnswer>;
  test(caller: Caller, endpointId: string): Promise<DeliveryAnswer>;
  deliveries(filter: DeliveryFilter): ReturnType<typeof readDeliveries>;
  delivery(id: string): Promise<DeliveryDetails>;
  sendAgain(caller: Caller, deliveryId: string): Promise<DeliveryAnswer>;
  /** Counts all deliveries by state. */
  counts(): Promise<Record<string, number>>;
  /** Plans the next cleanup. */
  plan(): Promise<void>;
  /** Warnings for an administrator, as sentences. */
  warnings(): Promise<readonly string[]>;
}

export function createWebhooksService(parts: WebhookParts): WebhooksService {
  const cleanup = defineCleanup(parts);
  return {
    jobs: [
      defineAnnouncement(parts),
      defineDelivery(parts),
      cleanup.definition,
    ] as unknown as JobDefinition<never>[],
    isEnabled: () => parts.settings.enabled(),
    endpoints: () => readEndpoints(parts),
    create: (caller, fields) => createEndpoint(parts, caller, fields),
    change: (caller, read, fields) => changeEndpoint(parts, caller, read, fields),
    replaceSecret: (caller, order) => replaceSecret(parts, caller, order),
    remove: (caller, read) => removeEndpoint(parts, caller, read),
    test: (caller, endpointId) => sendTest(parts, caller, endpointId),
    deliveries: (filter) => readDeliveries(parts, filter),
    delivery: (id) => readDelivery(parts, id),
    sendAgain: (caller, deliveryId) => sendAgain(parts, caller, deliveryId),
    counts: () => countByState(parts),
    plan: () => cleanup.plan(),
    warnings: () => warningsOf(parts),
  };
}

async function warningsOf({ db, clock, settings }: WebhookParts): Promise<string[]> {
  if (!settings.enabled()) return [];
  const { failing, paused } = await countTroubled(db.read, isoTime(clock.now() - DAY_MS));
  const found: string[] = [];
  if (failing > 0)
    found.push(
      `${failing === 1 ? '1 webhook has' : `${failing} webhooks have`} accepted nothing for more than a day.`,
    );
  if (paused > 0)
    found.push(
      `${paused === 1 ? '1 webhook is' : `${paused} webhooks are`} paused because of failures. Turn it on again once the server accepts events.`,
    );
  return found;
}
