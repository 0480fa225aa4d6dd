import { UnreachableError } from '../errors.ts';
import type { FaxJob } from './contract.ts';

/**
 * Nobody confirmed a change: every answer got lost. The gateway may or may not have carried it out. The same call with
 * this `operationId` finishes it, and does nothing twice.
 */
export class UncertainError extends UnreachableError {
  override name = 'UncertainError';
  readonly operationId: string;

  constructor(operationId: string, options?: ErrorOptions) {
    super(
      `The gateway did not confirm the request and may or may not have carried it out. Repeat it with the operation id ${operationId}; it is carried out once.`,
      options,
    );
    this.operationId = operationId;
  }
}

/** A fax was not final in time. It goes on without the program that waited. */
export class WaitTimeoutError extends Error {
  override name = 'WaitTimeoutError';
  readonly faxId: string;
  /** The fax as it was read last; null if it was not read. */
  readonly fax: FaxJob | null;

  constructor(faxId: string, fax: FaxJob | null) {
    super(`The fax ${faxId} was not final in time. It continues; read it again later.`);
    this.faxId = faxId;
    this.fax = fax;
  }
}
