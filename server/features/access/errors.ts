import { ACCESS_MESSAGES } from '../../../shared/api/access.ts';
import { FIXED_MESSAGES } from '../../../shared/api/errors.ts';
import { RefusalError } from '../../platform/errors.ts';

/** No credential, or one that is wrong, ended, revoked or expired: 401. */
export class CredentialError extends RefusalError {
  override name = 'CredentialError';
  constructor(publicMessage: string = FIXED_MESSAGES.badCredential, message?: string) {
    super(401, publicMessage, message === undefined ? {} : { message });
  }
}

/** A good credential that may not do this: 403. */
export class NotAllowedError extends RefusalError {
  override name = 'NotAllowedError';
  constructor(publicMessage: string = FIXED_MESSAGES.notAllowed) {
    super(403, publicMessage);
  }
}

/** Something that is not there, or that the caller cannot see: 404. */
export class MissingError extends RefusalError {
  override name = 'MissingError';
  constructor(publicMessage: string) {
    super(404, publicMessage);
  }
}

/** A stale policy version, or a state that does not allow the change: 409. */
export class AccessConflictError extends RefusalError {
  override name = 'AccessConflictError';
  constructor(publicMessage: string = FIXED_MESSAGES.stale) {
    super(409, publicMessage);
  }
}

/** A value that fits its schema and still breaks a rule: 400. */
export class AccessValueError extends RefusalError {
  override name = 'AccessValueError';
  constructor(publicMessage: string = ACCESS_MESSAGES.passwordLength) {
    super(400, publicMessage);
  }
}
