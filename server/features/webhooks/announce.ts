import { DONE, defineJob, type JobDefinition, type JobResult } from '../../jobs/define-job.ts';
import type { WebhookParts } from './parts.ts';
import { addDelivery, announceJob } from './queued.ts';
import { findEvent } from './store/delivery-store.ts';
import { activeEndpoints } from './store/endpoint-store.ts';
import { isFor, mayBeSent } from './subscriptions.ts';
import type { EndpointRow } from './types.ts';

const AT_ONCE = 4;

/** Adds each event to the endpoints for it whose integration may see its subject. */
export function defineAnnouncement(parts: WebhookParts): JobDefinition<{ event_id: string }> {
  return defineJob({
    ...announceJob,
    concurrency: AT_ONCE,
    // An event that is added again finds its deliveries.
    lost: 'repeat',
    run: ({ event_id }) => announce(parts, event_id),
  });
}

async function announce(parts: WebhookParts, eventId: string): Promise<JobResult> {
  const event = await findEvent(parts.db.read, eventId);
  if (!event || !parts.settings.enabled()) return DONE;
  const endpoints: EndpointRow[] = [];
  for (const endpoint of await activeEndpoints(parts.db.read))
    if (isFor(endpoint, event) && (await mayBeSent(parts, endpoint, event))) endpoints.push(endpoint);
  return {
    kind: 'decide',
    async decide(tx) {
      for (const { id } of endpoints) await addDelivery(parts, tx, id, event);
      return DONE;
    },
  };
}
