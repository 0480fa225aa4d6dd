import type { ScanSource } from '../../../shared/scanning.ts';

/** A place that paper is taken from, and what the scanner can do there. Lengths are in 1/300 inch. */
export interface SourceAbilities {
  readonly source: ScanSource;
  /** Dots per inch, ascending. */
  readonly resolutions: readonly number[];
  /** Color modes by the scanner's names, such as `Grayscale8`. */
  readonly colorModes: readonly string[];
  readonly maxWidth: number;
  readonly maxHeight: number;
}

interface ScannerAbilities {
  /** Maker and model; empty where the scanner reports none. */
  readonly model: string;
  readonly sources: readonly SourceAbilities[];
  /** True when paper is in the feeder; null where the scanner does not report it. */
  readonly feederLoaded: boolean | null;
}

/** A run of the scanner. Lengths are in 1/300 inch. */
export interface ScanOrder {
  readonly source: ScanSource;
  readonly resolution: number;
  readonly colorMode: string;
  readonly width: number;
  readonly height: number;
}

/** Reasons why a scanner cannot be used. */
export type ScannerFault =
  | 'unreachable'
  | 'not_a_scanner'
  | 'busy'
  | 'feeder_empty'
  | 'feeder_jam'
  | 'feeder_open'
  | 'stopped'
  | 'lost'
  | 'refused';

/** A scanner that cannot be used, or stopped in the middle. `message` is for the log. */
export class ScannerError extends Error {
  override name = 'ScannerError';
  readonly fault: ScannerFault;
  constructor(fault: ScannerFault, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.fault = fault;
  }
}

/** A scanner that announces itself in the local network. Its texts come from the scanner; all but the address may be empty. */
export interface FoundScanner {
  readonly name: string;
  /** Maker and model. */
  readonly model: string;
  /** Its place in the office, as an administrator entered it there. */
  readonly place: string;
  readonly url: string;
  /** All addresses under which it announces itself: of each network, by IP address and by host name. */
  readonly urls: readonly string[];
  /** UUID of the device in small letters; empty where it announces none. */
  readonly uuid: string;
}

/** Facts by which the scanner at a saved address is recognized among those that were found. */
export interface ScannerIdentity {
  /** UUID of the device in small letters; empty where the scanner does not answer or reports none. */
  readonly uuid: string;
  /** The saved address, and the same with each IP address of its host name. */
  readonly urls: readonly string[];
}

/** The scanners of the office, by their addresses. Every method but `search` and `identify` throws ScannerError. */
export interface Scanners {
  /** Returns those that announce themselves in the local network, by name. Takes about a second. Never rejects. */
  search(): Promise<FoundScanner[]>;
  /** Reads the identity of the scanner at an address, within the time of a search. Never rejects. */
  identify(url: string): Promise<ScannerIdentity>;
  describe(url: string, signal?: AbortSignal): Promise<ScannerAbilities>;
  /** Begins a run; the answer is the address of its job. */
  begin(url: string, order: ScanOrder, signal: AbortSignal): Promise<string>;
  /** Returns the next page of a job as a JPEG; null after the last one. */
  nextPage(url: string, job: string, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Ends a job whose pages are not wanted. Failures are of no interest. */
  cancel(job: string): Promise<void>;
}
