import { RefusalError } from '../../platform/errors.ts';
import type { ScannerError, ScannerFault } from './scanner-port.ts';

class ScanningRefusalError extends RefusalError {
  override name = 'ScanningRefusalError';
}

/** Sentences for people, by what is wrong with a scanner. */
const SENTENCES: Readonly<Record<ScannerFault, string>> = {
  unreachable: 'The scanner does not answer. Make sure that it is on and connected to the network.',
  not_a_scanner:
    'There is no scanner at this address that Faxdesk can use. An administrator can correct it in Settings.',
  busy: 'The scanner is busy. Wait a moment and scan again.',
  feeder_empty: 'The feeder is empty. Put the pages in and scan again.',
  feeder_jam: 'Paper is stuck in the feeder. Remove it, and scan the pages that are missing.',
  feeder_open: 'The feeder is open. Close it and scan again.',
  stopped: 'The scanner has stopped. See what its display says.',
  lost: 'The scanner stopped answering. The pages so far are kept; scan the others again.',
  refused: 'The scanner refused to scan. Try another paper source or resolution.',
};

export const scannerSentence = (error: ScannerError): string => SENTENCES[error.fault];
export const scannerProblem = (error: ScannerError) =>
  new ScanningRefusalError('scanner_problem', { sentence: scannerSentence(error), cause: error });
export const noSuchScanner = () => new ScanningRefusalError('no_such_scanner');
export const noSuchScan = () => new ScanningRefusalError('no_such_scan');
export const scanUnderWay = () => new ScanningRefusalError('scan_under_way');
export const scanWithoutPages = () => new ScanningRefusalError('scan_without_pages');
export const tooManyScans = () => new ScanningRefusalError('too_many_scans');
