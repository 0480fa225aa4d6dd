import type { ErrorCodeOf, FixedErrorCode } from '../../../shared/errors/all.ts';
import { RefusalError } from '../../platform/errors.ts';

type CodeOf<S extends number> = ErrorCodeOf<S, FixedErrorCode>;

/** No credential, or one that is wrong, ended, revoked or expired: 401. */
export class CredentialError extends RefusalError {
  override name = 'CredentialError';
  constructor(
    code: CodeOf<401> = 'invalid_credential',
    message?: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(code, { headers, ...(message === undefined ? {} : { message }) });
  }
}

/** A good credential that may not do this: 403. */
export class NotAllowedError extends RefusalError {
  override name = 'NotAllowedError';
  readonly code: CodeOf<403>;
  constructor(code: CodeOf<403> = 'not_allowed') {
    super(code);
    this.code = code;
  }
}

/** Something that is not there, or that the caller cannot see: 404. */
export class MissingError extends RefusalError {
  override name = 'MissingError';
  constructor(code: CodeOf<404>) {
    super(code, {});
  }
}

/** A stale policy version, or a state that does not allow the change: 409. */
export class AccessConflictError extends RefusalError {
  override name = 'AccessConflictError';
  constructor(code: CodeOf<409> = 'stale') {
    super(code);
  }
}

/** A value that fits its schema and still breaks a rule: 400. */
export class AccessValueError extends RefusalError {
  override name = 'AccessValueError';
  constructor(code: CodeOf<400>) {
    super(code, {});
  }
}
