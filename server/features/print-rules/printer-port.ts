import type { PrinterRaster } from '../../documents/documents.ts';

export type { PrinterRaster };

/** Reasons why a printer cannot be used, or does not print. */
export type PrinterFault =
  | 'unreachable'
  | 'certificate'
  | 'not_a_printer'
  | 'busy'
  | 'not_accepting'
  | 'no_paper'
  | 'jam'
  | 'open'
  | 'no_ink'
  | 'stopped'
  | 'format'
  | 'refused'
  | 'lost';

/**
 * A printer that cannot be used, or stopped in the middle. `message` is for the log. When `mayHaveArrived` is false, the
 * printer certainly has no job of this submission.
 */
export class PrinterError extends Error {
  override name = 'PrinterError';
  readonly fault: PrinterFault;
  readonly mayHaveArrived: boolean;
  constructor(
    fault: PrinterFault,
    message: string,
    { mayHaveArrived = false, cause }: { mayHaveArrived?: boolean; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.fault = fault;
    this.mayHaveArrived = mayHaveArrived;
  }
}

/** Form in which a printer takes documents: the file itself, or its pages as pixels. */
export type PrintForm =
  | { readonly format: 'application/pdf' }
  | { readonly format: 'image/pwg-raster'; readonly raster: PrinterRaster };

export interface PrinterStatus {
  /** Maker and model; empty where the printer reports none. */
  readonly model: string;
  /** Null where it takes documents in no form of ours. */
  readonly takes: PrintForm | null;
  readonly isAccepting: boolean;
  /** Reason why it does not print now; null when it does. */
  readonly fault: PrinterFault | null;
  /** Seconds since it was switched on; null where it does not report them. */
  readonly upTime: number | null;
}

/** State of a job at a printer. `held` waits at the printer, for a person or for paper. */
export type PrinterJobState =
  | 'pending'
  | 'held'
  | 'processing'
  | 'stopped'
  | 'canceled'
  | 'aborted'
  | 'completed';

export interface PrinterJob {
  /** Number that the printer gave it. */
  readonly number: number;
  readonly state: PrinterJobState;
  /** Sheets or sides that came out; null where the printer does not report them. */
  readonly printed: number | null;
  /** Reason of the printer for its state, for people; null where it gives none. */
  readonly reason: string | null;
}

export interface PrintOrder {
  /** Unique among the jobs of all gateways. */
  readonly jobName: string;
  readonly format: PrintForm['format'];
  /** Null where the length is known only at the end. */
  readonly bytes: number | null;
  /** Name of the sheet that all pages fill; null leaves it to the printer. */
  readonly sheet: string | null;
  chunks(): AsyncIterable<Uint8Array>;
}

/** Result of the search for a job by its name. */
export interface JobSearch {
  /** Null when no list of the printer has it. */
  readonly job: PrinterJob | null;
  /**
   * True when the printer's lists prove that a job that is not in them never arrived: the printer has run since before the
   * submission, shows the name of each job that it lists, and still lists one of ours that ended before the submission.
   */
  readonly isConclusive: boolean;
}

/** The printers of the office, by their addresses. Every method throws PrinterError. */
export interface Printers {
  describe(url: string, signal?: AbortSignal): Promise<PrinterStatus>;
  submit(url: string, order: PrintOrder, signal: AbortSignal): Promise<PrinterJob>;
  /** Null when the printer has no job of this number any longer. */
  findJob(url: string, job: number, signal?: AbortSignal): Promise<PrinterJob | null>;
  /** Searches for a job by our clock and by the printer's up-time of its submission, which is null where it is unknown. */
  searchJob(
    url: string,
    search: { readonly jobName: string; readonly begunMsAgo: number; readonly begunAtUpTime: number | null },
    signal?: AbortSignal,
  ): Promise<JobSearch>;
}
