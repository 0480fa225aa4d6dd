import { RefusalError } from '../../platform/errors.ts';

class ContactRefusalError extends RefusalError {
  override name = 'ContactRefusalError';
}

export const noSuchContact = () => new ContactRefusalError('no_such_contact');
export const numberTaken = () => new ContactRefusalError('contact_number_taken');
export const badNumber = () => new ContactRefusalError('invalid_fax_number');
export const badVoiceNumber = () => new ContactRefusalError('invalid_voice_number');
export const unknownMailbox = () => new ContactRefusalError('unknown_contact_mailbox');
export const unknownRoute = () => new ContactRefusalError('unknown_delivery_route');
export const stale = () => new ContactRefusalError('stale');
export const notMergeable = (sentence: string) =>
  new ContactRefusalError('contacts_not_mergeable', { sentence });
export const fileRefused = (sentence: string) =>
  new ContactRefusalError('contact_file_refused', { sentence });
export const directoryUnavailable = (sentence: string, cause?: unknown) =>
  new ContactRefusalError('directory_unavailable', { sentence, cause });
