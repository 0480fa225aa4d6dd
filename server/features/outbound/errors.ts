import { MAX_ENCODED_PAGES } from '../../../shared/encoded-pages.ts';
import { type ArchiveOfFax, archivedSentence } from '../../platform/archive-of-fax.ts';
import { RefusalError } from '../../platform/errors.ts';

export class FaxRefusalError extends RefusalError {
  override name = 'FaxRefusalError';
}

export const noSuchFax = () => new FaxRefusalError('no_such_fax');
export const archived = (archive: ArchiveOfFax) =>
  new FaxRefusalError('fax_archived', { sentence: archivedSentence(archive) });
export const notAllowed = () => new FaxRefusalError('not_allowed');
export const whichMailbox = () => new FaxRefusalError('which_mailbox');
export const noSuchMailbox = () => new FaxRefusalError('unknown_mailbox');
export const notYourMailbox = () => new FaxRefusalError('mailbox_refused');
export const mailboxOff = () => new FaxRefusalError('no_mailbox');
export const badNumber = () => new FaxRefusalError('invalid_fax_number');
export const numberBlocked = () => new FaxRefusalError('number_blocked');
export const guardRefused = (sentence: string) =>
  new FaxRefusalError('guard_refused', { sentence: `${sentence} Nothing was sent.` });
export const otherProviderFax = (sentence: string) => new FaxRefusalError('other_provider_fax', { sentence });
export const notEnded = (sentence: string) => new FaxRefusalError('not_ended', { sentence });
export const codeForOtherNumber = () => new FaxRefusalError('code_for_other_number');
export const stale = () => new FaxRefusalError('stale');
export const keyOfAnotherRequest = () => new FaxRefusalError('idempotency_key_reused');
export const keyMissing = () => new FaxRefusalError('shared_key_missing');
export const encryptedOnly = () => new FaxRefusalError('encrypted_pages_only');
export const tooManyEncodedPages = (pages: number) =>
  new FaxRefusalError('too_many_encoded_pages', {
    sentence: `The document needs ${pages} encrypted pages, more than the ${MAX_ENCODED_PAGES} that are allowed. Nothing was sent.`,
  });
export const staleForm = () => new FaxRefusalError('sending_is_on');
export const documentGone = () => new FaxRefusalError('document_gone');
export const previewExpired = () => new FaxRefusalError('preview_expired');
export const noSuchPage = ({ page, pages }: { page: number; pages: number }) =>
  new FaxRefusalError('no_such_page', {
    sentence: `There is no page ${page}: the document has ${pages === 1 ? '1 page' : `${pages} pages`}.`,
  });
export const previewNotDrawn = () =>
  new FaxRefusalError('page_not_drawn', {
    headers: { 'Retry-After': '1' },
  });
export const previewsUnderWay = () =>
  new FaxRefusalError('previews_under_way', {
    headers: { 'Retry-After': '5' },
  });
export const previewFilesGone = () => new FaxRefusalError('preview_files_gone');
export const filesOrPreview = () => new FaxRefusalError('file_needed');
export const filesAndPreview = () => new FaxRefusalError('file_and_preview');
export const linkWithoutToken = () => new FaxRefusalError('link_without_token');
export const originalUnchanged = () => new FaxRefusalError('original_unchanged');
export const editsForFiles = () => new FaxRefusalError('wrong_page_edits');
export const editsOfPreview = () =>
  new FaxRefusalError('wrong_page_edits', {
    sentence: 'The pages of a preview are changed by the preview itself. Leave "page_edits" out.',
  });
export const titlesOfFiles = () => new FaxRefusalError('wrong_titles');
export const acceptanceUnknown = (jobId: string, cause: unknown) =>
  new FaxRefusalError('acceptance_in_doubt', {
    sentence: `It is not certain that fax ${jobId} was recorded. Send the same request again with the same Idempotency-Key.`,
    cause,
  });
