import { faxPrinter } from './en/fax-printer.ts';

/** With the words of the fax printer, which come only with the screens that add it to a computer. */
export const t = { faxPrinter };
