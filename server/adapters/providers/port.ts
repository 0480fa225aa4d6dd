import type { ReportProblem } from '../../../shared/report-problems.ts';
/**
 * Interface of a cloud provider. Implementations are in a folder beside this file; they depend on the vendor's wire
 * format and not on rooms or the database.
 */

import type {
  CallbackForm,
  Certainty,
  FaxReport,
  FaxToSend,
  FoundFacts,
  SentSearch,
} from '../../../shared/fax-transport.ts';

export type { CallbackForm, Certainty, FaxToSend, SentSearch };

export type ProviderErrorCategory =
  | 'transport_ambiguous'
  | 'response_unusable'
  | 'provider_unavailable'
  | 'artifact_unavailable'
  | 'refused';

/** `message` is for the log; `publicMessage` is one sentence for a person and holds no secret. */
export class ProviderError extends Error {
  override name = 'ProviderError';
  readonly certainty: Certainty;
  readonly category: ProviderErrorCategory;
  readonly publicMessage: string;
  /** Delay before the next try that the provider requested, in ms; null when it gave none. */
  readonly retryAfterMs: number | null;
  constructor(
    message: string,
    facts: {
      certainty: Certainty;
      category: ProviderErrorCategory;
      publicMessage: string;
      retryAfterMs?: number | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.certainty = facts.certainty;
    this.category = facts.category;
    this.publicMessage = facts.publicMessage;
    this.retryAfterMs = facts.retryAfterMs ?? null;
  }
}

/**
 * Account at a provider, as far as rooms see it. The other fields belong to the folder of the provider: rooms store the
 * account sealed as JSON and pass it back unread.
 */
export interface ProviderAccount {
  readonly backend: string;
  /** For evidence and comparison, e.g. the provider's name and 12 hex digits. Holds no secret. */
  readonly accountId: string;
}

/** Report of a provider about a fax. */
export interface ProviderReport extends FaxReport {
  readonly providerId: string;
}

/** A sent fax that was looked for. */
export interface FoundFax extends FoundFacts {
  readonly report: ProviderReport;
}

/** `inflight` events (a page passed, a retry planned) are never outcomes. */
export type CallbackReading =
  | { readonly kind: 'report'; readonly report: ProviderReport }
  | { readonly kind: 'inflight'; readonly providerId: string | null; readonly event: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** A callback before anybody believed it. */
export interface ReceivedCallback {
  /** The exact address that the provider was given for this attempt. */
  readonly url: string;
  readonly form: CallbackForm;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** Verifies and reads signed callbacks. */
export interface CallbackReader<Account = unknown> {
  /**
   * Returns the problem when the head alone shows that nothing can prove the callback, whose body is then not read;
   * null while it may be proved.
   */
  headProblem(account: Account, header: (name: string) => string | undefined): ReportProblem | null;
  /** True only when the callback proves that it comes from the provider, by the account that the fax captured. */
  verifyCallback(account: Account, callback: ReceivedCallback): boolean;
  readCallback(form: CallbackForm): CallbackReading;
}

/**
 * Sending through a provider. A folder implements it for its own kind of account; rooms hold it for any account
 * (`unknown`): what a fax captured, read back from JSON, and checked before it is used.
 */
export interface Sender<Account = unknown> {
  /** Opens a connection to the host and sends nothing. Throws ProviderError `try_later` when it cannot. */
  reach(account: Account): Promise<void>;
  /** Submits once; never repeats by itself. Throws ProviderError with certainty. */
  submit(account: Account, request: FaxToSend): Promise<{ providerId: string }>;
  /** Asks for the present state. Throws ProviderError. */
  fetchReport(account: Account, providerId: string): Promise<ProviderReport>;
  /** Every fax that fits. Left out where the vendor cannot be asked so, or needs not. Throws ProviderError. */
  findSent?(account: Account, search: SentSearch): Promise<FoundFax[]>;
  /**
   * Stops what was submitted, as long as nothing was sent, and answers how it ended. Null when it is too late. Left out where
   * the vendor cannot.
   */
  stop?(account: Account, providerId: string): Promise<ProviderReport | null>;
  /** The outcome is recorded: what is kept of the fax elsewhere may go. Left out where nothing is. */
  forget?(account: Account, providerId: string): Promise<void>;
  /** For `Check connection`: a sentence for a person. */
  checkAccount(account: Account): Promise<{ ok: boolean; detail: string }>;
}

/** Provider that the gateway sends through. */
export interface CloudProvider extends Sender {
  /** Null when the provider signs nothing: its callbacks prove nothing and are at most a reason to ask at once. */
  readonly callbacks: CallbackReader | null;
}
