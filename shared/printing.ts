/** Computers that can print to Faxdesk, in the setting of this name. */
export const PRINT_TO_FAX = ['off', 'this_computer', 'network'] as const;
export type PrintToFax = (typeof PRINT_TO_FAX)[number];

/** Path of the printer in its address. */
export const PRINTER_PATH = '/ipp/print';
/** Path of the printer that takes the number of the recipient with a job (PWG 5100.15). */
export const FAX_PRINTER_PATH = '/ipp/faxout';

/** Ways in which the pages of a printed document came. */
export const PRINTED_SOURCES = ['printer', 'scanner'] as const;
