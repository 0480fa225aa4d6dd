import { RefusalError } from '../../../platform/errors.ts';

class DeliveryRefusalError extends RefusalError {
  override name = 'DeliveryRefusalError';
}

export const unreadable = (cause?: unknown) => new DeliveryRefusalError('direct_unreadable', { cause });
export const unknownSender = () => new DeliveryRefusalError('direct_unknown_sender');
export const badSignature = () => new DeliveryRefusalError('direct_bad_signature');
export const tooBusy = () => new DeliveryRefusalError('too_busy', { headers: { 'Retry-After': '60' } });
export const noLength = () => new DeliveryRefusalError('length_required');
export const tooLarge = () => new DeliveryRefusalError('too_large');
export const noSuchDelivery = () => new DeliveryRefusalError('no_such_address');
