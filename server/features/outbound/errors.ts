import { FIXED_MESSAGES } from '../../../shared/api/errors.ts';
import { RefusalError } from '../../platform/errors.ts';

export class FaxRefusalError extends RefusalError {
  override name = 'FaxRefusalError';
}

export const noSuchFax = () => new FaxRefusalError(404, FIXED_MESSAGES.noFax);
export const badNumber = () => new FaxRefusalError(400, FIXED_MESSAGES.badNumber);
export const noProvider = () => new FaxRefusalError(409, FIXED_MESSAGES.noProvider);
export const stale = () => new FaxRefusalError(409, FIXED_MESSAGES.stale);
export const notInThisState = (sentence: string) => new FaxRefusalError(409, sentence);
export const keyOfAnotherRequest = () =>
  new FaxRefusalError(409, 'That Idempotency-Key was used for a different request.');
export const badKey = () =>
  new FaxRefusalError(400, 'An Idempotency-Key has 1 to 128 visible ASCII characters.');
export const staleForm = () =>
  new FaxRefusalError(409, 'Sending is on now; reload the form and choose again how to send.');
export const documentGone = () =>
  new FaxRefusalError(404, 'The document is no longer kept; only the record of the fax remains.');
export const inDoubt = (jobId: string, cause: unknown) =>
  new FaxRefusalError(
    503,
    `It is not certain that fax ${jobId} was recorded; send the same request again with the same Idempotency-Key.`,
    { cause },
  );
