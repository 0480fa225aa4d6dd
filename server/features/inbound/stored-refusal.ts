import { StorageMissingError } from '../../adapters/storage/port.ts';
import { readingError } from '../../adapters/storage/reading-port.ts';
import { DocumentError } from '../../documents/documents.ts';
import { AlteredFileError } from '../../platform/errors.ts';
import { documentGone } from './errors.ts';

/** Maps an error of the storage to a refusal: 404 when the document is gone, 503 when it cannot be read now. */
export function storedRefusal(error: unknown): unknown {
  if (error instanceof StorageMissingError) return documentGone();
  // It was a readable PDF when it was filed.
  if (error instanceof DocumentError) return new AlteredFileError(error.message, { cause: error });
  return readingError(error);
}
