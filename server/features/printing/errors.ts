import { RefusalError } from '../../platform/errors.ts';

class PrintingRefusalError extends RefusalError {
  override name = 'PrintingRefusalError';
}

export const noSuchPrinted = () => new PrintingRefusalError('no_such_printed_document');
