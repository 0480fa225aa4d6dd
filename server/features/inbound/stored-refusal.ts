import { StorageMissingError } from '../../adapters/storage/port.ts';
import { readingError } from '../../adapters/storage/reading-port.ts';
import { DocumentError } from '../../documents/documents.ts';
import { AlteredFileError } from '../../platform/errors.ts';
import { documentGone } from './errors.ts';

/** What is answered when a filed document cannot be had: 404 when it is gone, 503 when it cannot be read now. */
export function storedRefusal(error: unknown): unknown {
  if (error instanceof StorageMissingError) return documentGone();
  // It was a readable PDF when it was filed.
  if (error instanceof DocumentError) return new AlteredFileError(error.message, { cause: error });
  return readingError(error);
}
