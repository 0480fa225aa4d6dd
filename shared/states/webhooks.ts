/** Events that a webhook can announce, with the words of the screen. */
export const WEBHOOK_EVENT_TEXT = {
  'fax.delivered': 'A fax was delivered',
  'fax.failed': 'A fax failed or was canceled',
  'fax.question': 'A fax needs confirmation',
  'inbound.received': 'A fax was received',
  'inbound.original': 'The original of a received fax was recovered',
  'work.overdue': 'A work item is overdue',
} as const;
export type WebhookEvent = keyof typeof WEBHOOK_EVENT_TEXT;
export const WEBHOOK_EVENTS = Object.keys(WEBHOOK_EVENT_TEXT) as [WebhookEvent, ...WebhookEvent[]];

/** Type of a message that only checks an endpoint. */
export const WEBHOOK_TEST = 'webhook.test';
export const WEBHOOK_TYPES = [...WEBHOOK_EVENTS, WEBHOOK_TEST] as const;
export type WebhookType = (typeof WEBHOOK_TYPES)[number];

/** State of an endpoint: `paused` after it accepted nothing for days, until a person turns it on again. */
export const WEBHOOK_ENDPOINT_STATES = ['on', 'off', 'paused'] as const;

/**
 * State of a delivery. `waiting` is tried until it is accepted, for a day; a `skipped` one is not sent, for example since
 * the integration may no longer see its fax.
 */
export const WEBHOOK_DELIVERY_STATE_TEXT = {
  waiting: 'Waiting',
  delivered: 'Delivered',
  failed: 'Failed',
  skipped: 'Not sent',
} as const;
export type WebhookDeliveryState = keyof typeof WEBHOOK_DELIVERY_STATE_TEXT;
export const WEBHOOK_DELIVERY_STATES = Object.keys(WEBHOOK_DELIVERY_STATE_TEXT) as [
  WebhookDeliveryState,
  ...WebhookDeliveryState[],
];
