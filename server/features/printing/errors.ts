import type { DocumentError } from '../../documents/documents.ts';
import { RefusalError } from '../../platform/errors.ts';

class PrintingRefusalError extends RefusalError {
  override name = 'PrintingRefusalError';
}

export const noPrintPassword = () => new PrintingRefusalError('no_print_password');
export const passwordsOfPeople = () => new PrintingRefusalError('print_passwords_of_people');
export const noSuchPrinted = () => new PrintingRefusalError('no_such_printed_document');
export const tooManyPrinted = () => new PrintingRefusalError('too_many_printed');
export const documentRefused = (error: DocumentError) =>
  new PrintingRefusalError(error.code === 'too_large' ? 'document_too_large' : 'document_invalid', {
    sentence: error.publicMessage,
    message: error.message,
    cause: error,
  });
