import { DocumentError } from '../../documents/documents.ts';
import { RefusalError } from '../../platform/errors.ts';

class CoverRefusalError extends RefusalError {
  override name = 'CoverRefusalError';
}

export const noSuchCover = () => new CoverRefusalError('no_such_cover');
export const unknownCover = () => new CoverRefusalError('unknown_cover');
export const builtInCover = () => new CoverRefusalError('cover_built_in');
export const nameTaken = () => new CoverRefusalError('cover_name_taken');
export const tooManyCovers = () => new CoverRefusalError('too_many_covers');
export const stale = () => new CoverRefusalError('stale');
export const coverRefused = (sentence: string) => new CoverRefusalError('cover_refused', { sentence });

/** Document work on a cover page, whose refusals reach the caller as a sentence. */
export async function refuseBadCover<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new CoverRefusalError('cover_refused', {
      sentence: error.publicMessage,
      message: error.message,
      cause: error,
    });
  }
}
