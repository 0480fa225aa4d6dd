import type {
  WebhookAttemptTable,
  WebhookDeliveryTable,
  WebhookEndpointTable,
  WebhookEventTable,
} from '../../db/schema/webhooks.ts';

export type EndpointRow = Readonly<WebhookEndpointTable>;
export type EventRow = Readonly<WebhookEventTable>;
export type DeliveryRow = Readonly<WebhookDeliveryTable>;
export type AttemptRow = Readonly<WebhookAttemptTable>;
/** Delivery with what it is about. */
export type DeliveryWithEvent = DeliveryRow & Pick<EventRow, 'type' | 'subject_id' | 'body'>;

/** An endpoint as it was read. */
export interface EndpointRead {
  readonly id: string;
  readonly version: number;
}
