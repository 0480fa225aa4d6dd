import type { NewMinuteLimit } from '../../http/rate-limit.ts';
import type { FiledHandler } from '../inbound/port.ts';
import type { StateListener } from '../outbound/port.ts';
import { defineRoom, type Room } from '../room.ts';
import type { SettingsService } from '../settings/service.ts';
import type { OverdueListener } from '../work/port.ts';
import type { WebhookParts } from './parts.ts';
import { overdueEvents, receivedFaxEvents, sentFaxEvents } from './record-event.ts';
import { webhooksServedRoutes } from './routes.ts';
import { createWebhooksService, type WebhooksService } from './service.ts';
import { WEBHOOK_SETTINGS, webhookSettings } from './settings.ts';

export { settleRestoredWebhooks } from './offline.ts';

interface WebhooksRoomParts extends Omit<WebhookParts, 'settings'> {
  readonly minuteLimit: NewMinuteLimit;
  readonly settings: SettingsService;
}

/** Records events in the transactions of other rooms. */
export interface WebhookEvents {
  readonly sentFaxes: StateListener;
  readonly receivedFaxes: FiledHandler;
  readonly overdueItems: OverdueListener;
}

export interface WebhooksRoom extends Room {
  readonly service: WebhooksService;
  readonly recorded: WebhookEvents;
}

/** The room of webhooks: events for other programs. */
export function createWebhooks(given: WebhooksRoomParts): WebhooksRoom {
  const parts: WebhookParts = {
    ...given,
    logger: given.logger.room('webhooks'),
    settings: webhookSettings(given.settings),
  };
  const service = createWebhooksService(parts);
  const room = defineRoom({
    name: 'webhooks',
    served: webhooksServedRoutes(service, given.minuteLimit),
    jobs: service.jobs,
    settings: { names: WEBHOOK_SETTINGS, changed: async () => undefined },
    async open() {
      if (!parts.db.damage.isFound) await service.plan();
    },
    warnings: () => service.warnings(),
  });
  return {
    ...room,
    service,
    recorded: {
      sentFaxes: sentFaxEvents(parts),
      receivedFaxes: receivedFaxEvents(parts),
      overdueItems: overdueEvents(parts),
    },
  };
}
