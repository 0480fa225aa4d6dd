import type { FaxJob } from './contract.ts';

/** A part of the API that will be removed, as the gateway announces it. */
export interface DeprecationNotice {
  readonly method: string;
  /** Path of the route, e.g. `/plugins`. */
  readonly path: string;
  /** Day from which on it may be gone, as an HTTP date; null if none is named. */
  readonly sunset: string | null;
  /** Address that takes its place; null if none is named. */
  readonly successor: string | null;
}

export interface FaxdeskOptions {
  /** Address of the gateway, e.g. `http://127.0.0.1:8080`. */
  readonly url: string;
  /** API key. */
  readonly key: string;
  /** Number of times that a request is repeated when its answer got lost or the gateway is busy; default 4. */
  readonly retries?: number;
  /** Time for one try in ms, the upload included; default 120,000. */
  readonly timeoutMs?: number;
  /** Replaces the platform's `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** Called for answers of routes that will be removed. */
  readonly onDeprecation?: (notice: DeprecationNotice) => void;
}

/** Options of every call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** Options of a call that changes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * Identifies the change, 1 to 128 visible ASCII characters: calls with the same id are carried out once. A new random
   * id if left out. Keep one of your own to be able to repeat the call after your program was stopped.
   */
  readonly operationId?: string;
}

/** Options of waiting for a fax. */
export interface WaitOptions extends CallOptions {
  /** Time in ms after which WaitTimeoutError is thrown; no limit if left out. */
  readonly timeoutMs?: number;
  /** True to wait in `reconciliation_required` as well, until a person has decided. */
  readonly untilDecided?: boolean;
  /** Called with each state that is read, the final one included. */
  readonly onChange?: (fax: FaxJob) => void;
}
