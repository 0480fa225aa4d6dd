import { DocumentError } from '../../../documents/documents.ts';
import { FaxRefusalError } from '../errors.ts';

const STATUS = { invalid: 400, too_large: 413, unsupported: 415 } as const;

/** Document work whose refusals reach the caller with the right status. */
export async function refusingBadDocuments<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new FaxRefusalError(STATUS[error.code], error.publicMessage, {
      message: error.message,
      cause: error,
    });
  }
}
