import { RefusalError } from '../../platform/errors.ts';

class WebhookRefusalError extends RefusalError {
  override name = 'WebhookRefusalError';
}

/** Thrown when another gateway changed a delivery meanwhile; the transaction is repeated. */
export class DeliveryChangedError extends Error {
  override name = 'DeliveryChangedError';
  readonly code = '40001';
}

export const noSuchEndpoint = () => new WebhookRefusalError('no_such_webhook');
export const noSuchDelivery = () => new WebhookRefusalError('no_such_webhook_delivery');
export const noSuchPerson = () => new WebhookRefusalError('no_such_person');
export const refused = (sentence: string) => new WebhookRefusalError('webhook_refused', { sentence });
export const notSent = (sentence: string) => new WebhookRefusalError('webhook_off', { sentence });
export const stale = () => new WebhookRefusalError('stale');
