import { type ArchiveOfFax, archivedSentence } from '../../platform/archive-of-fax.ts';
import { RefusalError } from '../../platform/errors.ts';

class InboundRefusalError extends RefusalError {
  override name = 'InboundRefusalError';
}

export const receivingOff = () => new InboundRefusalError('receiving_off');
export const noSuchAddress = () => new InboundRefusalError('no_such_address');
export const noSuchInbound = () => new InboundRefusalError('no_such_received_fax');
export const archived = (archive: ArchiveOfFax) =>
  new InboundRefusalError('fax_archived', { sentence: archivedSentence(archive) });
export const notAllowed = () => new InboundRefusalError('not_allowed');
export const notReceivedYet = () => new InboundRefusalError('not_received_yet');
export const noOriginal = () => new InboundRefusalError('no_original');
export const keptForLegalHold = (name: string) =>
  new InboundRefusalError('kept_for_legal_hold', {
    sentence: `This fax is kept under the legal hold ${name}. Its original cannot be replaced until the hold is released.`,
  });
export const documentGone = () => new InboundRefusalError('document_gone');
export const noSuchPage = ({ page, pages }: { page: number; pages: number }) =>
  new InboundRefusalError('no_such_page', {
    sentence: `There is no page ${page}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}.`,
  });
export const testKeyNeeded = () => new InboundRefusalError('test_key_needed');
export const testFaxOutOfReach = () => new InboundRefusalError('test_fax_out_of_reach');
export const isTestFax = () => new InboundRefusalError('test_fax_of_key');
export const alreadyInMailbox = () => new InboundRefusalError('already_in_mailbox');
export const noSuchMailbox = () => new InboundRefusalError('mailbox_not_found');
export const senderWithheld = () => new InboundRefusalError('sender_withheld');
export const tooManyBlocked = () => new InboundRefusalError('too_many_blocked_senders');
export const senderKnown = (sentence: string) => new InboundRefusalError('sender_known', { sentence });
export const stale = () => new InboundRefusalError('stale');
export const removedWithArchive = () => new InboundRefusalError('fax_removed');
export const alreadyReceived = () => new InboundRefusalError('already_received');
export const badNumber = () => new InboundRefusalError('invalid_fax_number');
export const badBackend = (known: readonly string[]) =>
  new InboundRefusalError('invalid_request', { sentence: `"backend" must be one of ${known.join(', ')}.` });
export const forged = (reason: string, challenge: string | null = null) =>
  new InboundRefusalError('invalid_credential', {
    message: `not genuine: ${reason}`,
    ...(challenge === null ? {} : { headers: { 'WWW-Authenticate': challenge } }),
  });
export const unreadable = (reason: string) =>
  new InboundRefusalError('unreadable_request', { message: reason });
export const accountGone = () => new InboundRefusalError('account_gone');
export const cannotLookUp = (cause: unknown) =>
  new InboundRefusalError('look_up_failed', {
    cause,
    headers: { 'Retry-After': '300' },
  });
export const diskFull = (cause: unknown) =>
  new InboundRefusalError('document_not_stored', {
    cause,
    headers: { 'Retry-After': '300' },
  });

/** Errors of a disk or store without room. */
export const FULL_DISK_CODES: readonly string[] = ['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100'];
