import { RefusalError } from '../../platform/errors.ts';

class HoldRefusalError extends RefusalError {
  override name = 'HoldRefusalError';
}

export const noSuchHold = () => new HoldRefusalError('no_such_legal_hold');
export const alreadyReleased = () => new HoldRefusalError('legal_hold_released');
export const stale = () => new HoldRefusalError('stale');
export const badNumber = () => new HoldRefusalError('invalid_fax_number');
export const noSuchMailbox = () => new HoldRefusalError('no_such_mailbox');
export const refused = (sentence: string) => new HoldRefusalError('legal_hold_refused', { sentence });
