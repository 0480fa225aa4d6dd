import { RefusalError } from '../../platform/errors.ts';

/**
 * Thrown when a code is unknown, used, expired, or of a person who may no longer pair: one 403 for all, so that the
 * cause is not revealed.
 */
export class PairingRefusedError extends RefusalError {
  override name = 'PairingRefusedError';
  constructor(message: string) {
    super('pairing_refused', { message });
  }
}
