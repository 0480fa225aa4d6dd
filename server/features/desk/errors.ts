import { DocumentError } from '../../documents/documents.ts';
import { RefusalError } from '../../platform/errors.ts';

class DeskRefusalError extends RefusalError {
  override name = 'DeskRefusalError';
}

export const noSuchDraft = () => new DeskRefusalError('no_such_draft');
export const tooManyDrafts = () => new DeskRefusalError('too_many_drafts');
export const draftsTooLarge = () => new DeskRefusalError('drafts_too_large');
export const noSuchPhrase = () => new DeskRefusalError('no_such_phrase');
export const tooManyPhrases = () => new DeskRefusalError('too_many_phrases');
export const noSuchSignature = () => new DeskRefusalError('no_such_signature');
export const tooManySignatures = () => new DeskRefusalError('too_many_signatures');
export const signaturesOfPeople = () => new DeskRefusalError('signatures_of_people');
export const notYourSignature = () => new DeskRefusalError('not_your_signature');
export const signatureRefused = (sentence: string) => new DeskRefusalError('signature_refused', { sentence });
export const headerNameRefused = (sentence: string) =>
  new DeskRefusalError('header_name_refused', { sentence });
export const stale = () => new DeskRefusalError('stale');

/** Document work on a picture, whose refusals reach the caller as a sentence. */
export async function refuseBadPicture<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DeskRefusalError('signature_refused', {
      sentence: error.publicMessage,
      message: error.message,
      cause: error,
    });
  }
}
