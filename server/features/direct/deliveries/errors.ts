import { RefusalError } from '../../../platform/errors.ts';
import { unreadable } from '../errors.ts';

class DeliveryRefusalError extends RefusalError {
  override name = 'DeliveryRefusalError';
}

export const unreadableForm = (cause?: unknown) =>
  unreadable('This is not a direct delivery: manifest, signature and document, in this order.', cause);
export const tooBusy = () => new DeliveryRefusalError('too_busy', { headers: { 'Retry-After': '60' } });
export const noLength = () => new DeliveryRefusalError('length_required');
export const tooLarge = () => new DeliveryRefusalError('too_large');
export const noSuchDelivery = () => new DeliveryRefusalError('no_such_address');
