import { isRunningSince } from './printer-memory.ts';
import {
  type JobSearch,
  type PrinterError,
  type PrinterFault,
  type PrinterJob,
  type PrinterStatus,
} from './printer-port.ts';
import { AT_PRINTER, DOUBT, failedAtPrinter, GIVEN, PRINTER_SENTENCES } from './sentences.ts';
import type { PrintoutRow } from './types.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const WAITS_MINUTES = [1, 2, 5];
const LONGEST_WAIT_MINUTES = 10;
/** Interval at which a printer is asked for the state of a job. */
const FOLLOW_MS = 15 * SECOND_MS;
/** Time after which no printer reads on in what was left of a connection. */
export const SETTLE_MS = MINUTE_MS;
/** Time after which a person decides about a submission to a printer that does not answer. */
const UNANSWERED_MS = 24 * HOUR_MS;
/** The same for a job that the printer accepted: an office may be closed for a weekend. */
const SILENT_MS = 72 * HOUR_MS;

/** Effect of a step on a printout. */
export interface PrintResult {
  readonly changes: Partial<Pick<PrintoutRow, 'state' | 'problem' | 'failures' | 'printer_job' | 'printer'>>;
  /** Milliseconds until the next step; null for none. */
  readonly waitMs: number | null;
}

type Failures = Pick<PrintoutRow, 'failures'>;

/** Returns the wait before the next step after that many failures, in ms: ten minutes at most, for as long as it takes. */
export const printDelayMs = (failures: number): number =>
  (WAITS_MINUTES[failures - 1] ?? LONGEST_WAIT_MINUTES) * MINUTE_MS;

/** Returns the result when a printer does not print now; the printout stays in its state. */
export const troubledResult = (printout: Failures, fault: PrinterFault): PrintResult =>
  waitingResult(printout, PRINTER_SENTENCES[fault]);

/** Returns the result when something else keeps a printout waiting. */
export function waitingResult({ failures }: Failures, problem: string): PrintResult {
  const count = failures + 1;
  return { changes: { problem, failures: count }, waitMs: printDelayMs(count) };
}

/** Returns the result when a printer could not be asked about a printout that it has or may have. */
export function unansweredResult(
  printout: Pick<PrintoutRow, 'state' | 'failures' | 'submitted_at'>,
  fault: PrinterFault,
  now: number,
): PrintResult {
  const { state, submitted_at } = printout;
  const sinceMs = submitted_at === null ? 0 : now - Date.parse(submitted_at);
  if (state === 'submitting' && sinceMs >= UNANSWERED_MS) return doubt(DOUBT.unanswered);
  if (state === 'accepted' && sinceMs >= SILENT_MS) return doubt(DOUBT.silent);
  return troubledResult(printout, fault);
}

/** Returns the result of a submission that failed. */
export function failedSubmission(printout: Failures, error: PrinterError): PrintResult {
  // It stays `submitting`: the next step searches for it.
  if (error.mayHaveArrived)
    return { changes: { problem: PRINTER_SENTENCES[error.fault] }, waitMs: SETTLE_MS };
  if (error.fault === 'format') return formatResult;
  const { changes, waitMs } = troubledResult(printout, error.fault);
  return { changes: { ...changes, state: 'waiting' }, waitMs };
}

/** Returns the result when nothing can be printed until a person changes something. */
export const failure = (problem: string): PrintResult => ({
  changes: { state: 'failed', problem },
  waitMs: null,
});

/** Result when the printer has no format of the document. */
export const formatResult: PrintResult = failure(PRINTER_SENTENCES.format);

/** Returns the result of the search for a job whose submission was cut off. */
export function searchedResult(printout: Failures, { job: found, isConclusive }: JobSearch): PrintResult {
  if (found !== null) return followedResult(printout, found);
  if (isConclusive) return { changes: { state: 'waiting', problem: null }, waitMs: 0 };
  return doubt(DOUBT.noAnswer);
}

/** Returns the result of a look at a job of the printer. */
export function followedResult(_printout: Failures, found: PrinterJob): PrintResult {
  const printer_job = found.number;
  switch (found.state) {
    case 'completed':
      return { changes: { state: 'printed', problem: null, failures: 0, printer_job }, waitMs: null };
    case 'canceled':
    case 'aborted': {
      const { changes, waitMs } = failure(failedAtPrinter(found));
      return { changes: { ...changes, printer_job }, waitMs };
    }
    default:
      return {
        changes: { state: 'accepted', problem: AT_PRINTER[found.state] ?? null, failures: 0, printer_job },
        waitMs: FOLLOW_MS,
      };
  }
}

/**
 * Returns the result for a job that the printer had accepted and no longer knows: printers without a history forget jobs that
 * they have printed. After a restart it may have been forgotten before.
 */
export function forgottenResult(
  { printer_up_time, submitted_at }: Pick<PrintoutRow, 'printer_up_time' | 'submitted_at'>,
  { upTime }: Pick<PrinterStatus, 'upTime'>,
  now: number,
): PrintResult {
  const elapsedMs = submitted_at === null ? null : now - Date.parse(submitted_at);
  if (!isRunningSince(printer_up_time, { upTime, elapsedMs })) return doubt(DOUBT.forgotten);
  return { changes: { state: 'given', problem: GIVEN, failures: 0 }, waitMs: null };
}

const doubt = (problem: string): PrintResult => ({ changes: { state: 'doubtful', problem }, waitMs: null });
