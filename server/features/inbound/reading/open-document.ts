import { StorageMissingError } from '../../../adapters/storage/port.ts';
import { readingError } from '../../../adapters/storage/reading-port.ts';
import { DocumentError } from '../../../documents/documents.ts';
import { AlteredFileError } from '../../../platform/errors.ts';
import { documentGone, notReceivedYet } from '../errors.ts';
import type { FaxRow } from '../types.ts';

/** Returns the name of the document in the storage. Throws a 404 refusal when the fax has none, or none any more. */
export function storedNameOf({ status, document }: Pick<FaxRow, 'status' | 'document'>): string {
  if (status !== 'received') throw notReceivedYet();
  if (document === null) throw documentGone();
  return document;
}

/** Maps an error of the storage to a refusal: 404 when the document is gone, 503 when it cannot be read now. */
export function storedRefusal(error: unknown): unknown {
  if (error instanceof StorageMissingError) return documentGone();
  // It was a readable PDF when it was filed.
  if (error instanceof DocumentError) return new AlteredFileError(error.message, { cause: error });
  return readingError(error);
}
