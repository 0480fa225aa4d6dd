import { z } from 'zod';
import type { Permission } from '../../../shared/permissions.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../shared/states/webhooks.ts';
import type { Caller } from '../access/service.ts';
import type { WebhookParts } from './parts.ts';
import type { EndpointRow, EventRow } from './types.ts';

const Events = z.array(z.enum(WEBHOOK_EVENTS));

/** Permissions by which an integration sees what events announce. */
export const SEEING: readonly Permission[] = ['fax:read', 'inbound:list', 'work:read'];

/** Returns the events that an endpoint is sent. */
export const eventsOf = ({ events }: Pick<EndpointRow, 'events'>): WebhookEvent[] =>
  Events.parse(JSON.parse(events));

/** Returns true when an endpoint is sent events of the type: those about test faxes, or all others. */
export function isFor(
  endpoint: Pick<EndpointRow, 'events' | 'test'>,
  { type, test }: Pick<EventRow, 'type' | 'test'>,
): boolean {
  return endpoint.test === test && eventsOf(endpoint).some((wanted) => wanted === type);
}

/** Returns the caller that an endpoint stands for, with the present rights of its integration; null when it has none. */
function callerOf(
  { access }: Pick<WebhookParts, 'access'>,
  { principal_id }: Pick<EndpointRow, 'principal_id'>,
): Promise<Caller | null> {
  return access.callerFor(principal_id, 'none');
}

/** Returns true while the integration of an endpoint may see what an event is about, by its present rights. */
export async function mayBeSent(
  parts: Pick<WebhookParts, 'access' | 'outbound' | 'inbound' | 'work'>,
  endpoint: EndpointRow,
  { type, subject_id: id }: Pick<EventRow, 'type' | 'subject_id'>,
): Promise<boolean> {
  if (type === 'webhook.test' || id === null) return true;
  const caller = await callerOf(parts, endpoint);
  if (caller === null) return false;
  if (type === 'inbound.received' || type === 'inbound.original')
    return parts.inbound.mayReceiveEvents(caller, id);
  if (type === 'work.overdue') return parts.work.mayReceiveEvents(caller, id);
  return parts.outbound.mayRead(caller, id);
}
