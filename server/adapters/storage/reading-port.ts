import { RefusalError } from '../../platform/errors.ts';
import { transientErrorSentence } from '../../platform/transient-errors.ts';

const RETRY_S = 30;

/**
 * Thrown when a stored document cannot be read at present. The cause is around it, so nothing follows about the
 * document itself: it may be there and complete. `publicMessage` is one sentence.
 */
export class StorageUnreadableError extends RefusalError {
  override name = 'StorageUnreadableError';
  constructor(sentence: string, cause?: unknown) {
    super('document_unreadable', { sentence, cause, headers: { 'Retry-After': String(RETRY_S) } });
  }
}

/** An error that came while a stored document was read: as a StorageUnreadableError where it may pass, else as it is. */
export function readingError(error: unknown): unknown {
  const sentence = transientErrorSentence(error);
  return sentence === null
    ? error
    : new StorageUnreadableError(`The document cannot be read. ${sentence}`, error);
}
