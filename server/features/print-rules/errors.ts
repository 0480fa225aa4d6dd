import { RefusalError } from '../../platform/errors.ts';

class PrintRefusalError extends RefusalError {
  override name = 'PrintRefusalError';
}

export const noSuchPrintRule = () => new PrintRefusalError('no_such_print_rule');
export const noSuchMailbox = () => new PrintRefusalError('no_such_mailbox');
export const printRuleRefused = (sentence: string) =>
  new PrintRefusalError('print_rule_refused', { sentence });
export const stale = () => new PrintRefusalError('stale');
export const noSuchPrintout = () => new PrintRefusalError('no_such_printout');
export const notAllowed = () => new PrintRefusalError('not_allowed');
export const notRetried = (sentence: string) => new PrintRefusalError('printout_not_retried', { sentence });
export const settled = () => new PrintRefusalError('printout_settled');
