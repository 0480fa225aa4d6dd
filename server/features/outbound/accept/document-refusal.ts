import type { ErrorCode } from '../../../../shared/errors/all.ts';
import { DocumentError, type DocumentErrorCode } from '../../../documents/documents.ts';
import { FaxRefusalError } from '../errors.ts';

const CODES: Readonly<Record<DocumentErrorCode, ErrorCode>> = {
  invalid: 'document_invalid',
  too_large: 'document_too_large',
  unsupported: 'document_unsupported',
};

/** Document work whose refusals reach the caller with the right status. */
export async function refuseBadDocuments<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new FaxRefusalError(CODES[error.code], {
      sentence: error.publicMessage,
      message: error.message,
      cause: error,
    });
  }
}
