import type { PrinterFault, PrinterJob } from './printer-port.ts';

/** Problems of printers, for people. */
export const PRINTER_SENTENCES: Readonly<Record<PrinterFault, string>> = {
  unreachable: 'The printer cannot be reached. Check that it is switched on and connected.',
  certificate:
    'The certificate of the printer is not trusted by this computer. Use an address that begins with ipp://, or have the certificate trusted.',
  not_a_printer: 'There is no printer that Faxdesk can use at this address. Check the address.',
  busy: 'The printer is busy. Faxdesk tries again.',
  not_accepting: 'The printer accepts no jobs now. Faxdesk tries again.',
  no_paper: 'The printer has no paper. Add paper.',
  jam: 'Paper is jammed in the printer. Remove it.',
  open: 'A cover of the printer is open. Close it.',
  no_ink: 'The printer has no toner or ink. Replace the cartridge.',
  stopped: 'The printer has stopped. Look at its display.',
  format: 'The printer takes neither PDF documents nor PWG raster, the formats in which Faxdesk prints.',
  refused: 'The printer refused the fax. Look at its display.',
  lost: 'The connection to the printer was lost. Faxdesk tries again.',
};

/** The end of each question to a person: the rest of its sentence is what is certain. */
const LOOK = 'so it may or may not have been printed: look for the pages at the printer';

/** Questions to a person: the certain part, the uncertain part, and the thing to do. */
export const DOUBT = {
  noAnswer: `The connection was lost while the fax was sent to the printer, ${LOOK}.`,
  unanswered: `The connection was lost while the fax was sent to the printer, which has not answered since, ${LOOK}.`,
  silent: `The printer received the fax and has not answered since, ${LOOK}.`,
  forgotten: `The printer received the fax but has no record of it now, maybe because it was restarted, ${LOOK}.`,
  restored: `Faxdesk was restored from a backup, and the fax was still to be printed when the backup was made, ${LOOK}.`,
  copied: `Faxdesk was started with another database, and the fax was still to be printed when that database was copied, ${LOOK}.`,
} as const;

/** Limit of what is known about a fax that was given to a printer without a history. */
export const GIVEN = 'Given to the printer; it does not report when a job is printed.';

export const WAITS = {
  off: 'The print rule is off.',
  hours: 'It is printed when the hours of the print rule begin.',
} as const;

export const FAILED = {
  ruleRemoved: 'The print rule was removed.',
  documentDeleted: 'The document of the fax was deleted.',
  notDrawn: 'The pages of the fax could not be drawn for the printer. Open the fax and print it yourself.',
  brokenOff: 'Not all pages of the fax could be drawn for the printer. Open the fax and print it yourself.',
} as const;

export const CANCELED = {
  junk: 'The fax was moved to Junk before it was printed.',
  byPerson: (name: string) => `${name} decided that it is not printed.`,
} as const;

/** Sentences about a job that the printer has and does not print. */
export const AT_PRINTER: Partial<Record<PrinterJob['state'], string>> = {
  held: 'The printer holds the fax until a person releases it there. Look at its display.',
  stopped: 'The printer has stopped while it printed the fax. Look at its display.',
};

/** Returns the sentence for a job that ended at the printer without being printed. */
export function failedAtPrinter({ state, reason }: Pick<PrinterJob, 'state' | 'reason'>): string {
  const what =
    state === 'canceled' ? 'The fax was canceled at the printer' : 'The printer stopped printing the fax';
  return reason === null ? `${what}.` : `${what}: ${reason.replace(/[.\s]+$/u, '')}.`;
}
