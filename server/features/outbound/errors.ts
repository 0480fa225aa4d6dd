import { FIXED_MESSAGES } from '../../../shared/api/errors.ts';
import { RefusalError } from '../../platform/errors.ts';

export class FaxRefusalError extends RefusalError {
  override name = 'FaxRefusalError';
}

export const noSuchFax = () => new FaxRefusalError(404, FIXED_MESSAGES.noFax);
export const notAllowed = () => new FaxRefusalError(403, FIXED_MESSAGES.notAllowed);
export const whichMailbox = () => new FaxRefusalError(400, 'Say which mailbox this fax is sent for.');
export const noSuchMailbox = () =>
  new FaxRefusalError(400, 'There is no such mailbox, or it is switched off.');
export const notYourMailbox = () =>
  new FaxRefusalError(403, 'You may not send for that mailbox, or it is switched off.');
export const mailboxOff = () =>
  new FaxRefusalError(403, 'There is no mailbox that you may send for, or it is switched off.');
export const badNumber = () => new FaxRefusalError(400, FIXED_MESSAGES.badNumber);
export const noProvider = () => new FaxRefusalError(409, FIXED_MESSAGES.noProvider);
export const stale = () => new FaxRefusalError(409, FIXED_MESSAGES.stale);
export const notInThisState = (sentence: string) => new FaxRefusalError(409, sentence);
export const keyOfAnotherRequest = () => new FaxRefusalError(409, FIXED_MESSAGES.otherRequest);
export const badKey = () =>
  new FaxRefusalError(400, 'An Idempotency-Key has 1 to 128 visible ASCII characters.');
export const staleForm = () =>
  new FaxRefusalError(409, 'Sending is on now; reload the form and choose again how to send.');
export const documentGone = () =>
  new FaxRefusalError(404, 'The document is no longer kept; only the record of the fax remains.');
export const previewExpired = () => new FaxRefusalError(404, 'That preview has expired.');
export const previewNotDrawn = () =>
  new FaxRefusalError(503, 'The page is not drawn yet; ask again in a moment.', {
    headers: { 'Retry-After': '1' },
  });
export const previewFilesGone = () =>
  new FaxRefusalError(
    409,
    'The preview with these files has expired; attach the files again. Nothing was sent.',
  );
export const filesOrPreview = () =>
  new FaxRefusalError(400, 'Attach a file as "file", or name a preview in "preview_id".');
export const titlesOfFiles = () => new FaxRefusalError(400, 'Give one title for each file, or none.');
export const inDoubt = (jobId: string, cause: unknown) =>
  new FaxRefusalError(
    503,
    `It is not certain that fax ${jobId} was recorded; send the same request again with the same Idempotency-Key.`,
    { cause },
  );
