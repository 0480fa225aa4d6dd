import { RefusalError } from '../../platform/errors.ts';

class PrintingRefusalError extends RefusalError {
  override name = 'PrintingRefusalError';
}

export const noPrintPassword = () => new PrintingRefusalError('no_print_password');
export const passwordsOfPeople = () => new PrintingRefusalError('print_passwords_of_people');
export const noSuchPrinted = () => new PrintingRefusalError('no_such_printed_document');
