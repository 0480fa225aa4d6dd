import { RefusalError } from '../../platform/errors.ts';

/** A code that is unknown, used, ended, or of somebody who may no longer pair: 403, and nobody is told which. */
export class PairingRefusedError extends RefusalError {
  override name = 'PairingRefusedError';
  constructor(message: string) {
    super('pairing_refused', { message });
  }
}
