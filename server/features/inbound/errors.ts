import { FIXED_MESSAGES } from '../../../shared/api/errors.ts';
import { RefusalError } from '../../platform/errors.ts';

export class InboundRefusalError extends RefusalError {
  override name = 'InboundRefusalError';
}

export const receivingOff = () => new InboundRefusalError(404, FIXED_MESSAGES.noRoute);
export const noSuchInbound = () => new InboundRefusalError(404, FIXED_MESSAGES.noInbound);
export const notAllowed = () => new InboundRefusalError(403, FIXED_MESSAGES.notAllowed);
export const notReceivedYet = () => new InboundRefusalError(404, FIXED_MESSAGES.notReceivedYet);
export const documentGone = () =>
  new InboundRefusalError(404, 'The document is no longer kept; only the record of the fax remains.');
export const noSuchPage = () => new InboundRefusalError(404, 'The document has no such page.');
export const alreadyReceived = () =>
  new InboundRefusalError(409, 'The document is here already; there is nothing to fetch.');
export const badNumber = () => new InboundRefusalError(400, FIXED_MESSAGES.badNumber);
export const forged = (reason: string) =>
  new InboundRefusalError(401, FIXED_MESSAGES.badCredential, { message: `not genuine: ${reason}` });
export const unreadable = (reason: string) =>
  new InboundRefusalError(400, FIXED_MESSAGES.unreadableBody, { message: reason });
export const badHandOver = (sentence: string) => new InboundRefusalError(400, sentence);
export const accountGone = () =>
  new InboundRefusalError(404, 'The account this fax came through is not set up any more.');
export const badImage = (sentence: string, cause?: unknown) =>
  new InboundRefusalError(400, sentence, { cause });
export const cannotLookUp = (cause: unknown) =>
  new InboundRefusalError(503, 'The fax cannot be looked up now; send the notification again.', {
    cause,
    headers: { 'Retry-After': '300' },
  });
export const diskFull = (cause: unknown) =>
  new InboundRefusalError(503, 'The document cannot be stored now; send the notification again.', {
    cause,
    headers: { 'Retry-After': '300' },
  });

/** Errors of a disk or store without room. */
export const FULL_DISK_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'];
