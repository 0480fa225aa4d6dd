/**
 * Contract between the room of sent faxes and its transports: the adapter of a provider, the telephone line, the numbers
 * of the installation itself. The room declares it and the adapters implement it as it is.
 */

import type { Backend } from '../../../shared/backends.ts';
import type { Money } from '../../../shared/money.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { AccountProblem, ErrorCategory, Unreached } from '../../../shared/states/outbound.ts';
import type { CallMode, CallStage } from '../../../shared/states/telephony.ts';
import type { WriteTx } from '../../db/database.ts';
import type { FaxAbout } from '../../platform/fax-about.ts';
import type { CallLimits, LineResult } from '../contacts/line-memory-port.ts';

/**
 * Kind of transport: a cloud provider, the own telephone line, a number of this installation, the installation of a partner,
 * which gets the original without a call, or the one that takes test faxes and hands them to nobody.
 */
export type TransportKind = 'provider' | 'line' | 'own_number' | 'direct' | 'test';

/** Names a transport of this release. */
export interface TransportName {
  readonly kind: TransportKind;
  readonly backend: Backend;
}

/** Capabilities of a transport; captured with the step. */
export interface TransportTraits {
  /** It can be queried for the present state of accepted faxes. */
  readonly polls: boolean;
  /**
   * It reports unprompted, to the callback address of the attempt. An unsigned callback proves nothing, but is a reason to
   * query at once.
   */
  readonly callbacks: boolean;
  /** It prints the time of the header line in the requested time zone. */
  readonly printsOurTime: boolean;
  /** It numbers the pages in the header line as requested. */
  readonly numbersPages: boolean;
  /** A header line is printed on the pages on their way. */
  readonly printsHeader: boolean;
  /** It can stop an accepted fax before delivery. */
  readonly stops: boolean;
}

/** Certainty that a fax was not accepted. Only the adapter decides it; nothing else guesses. */
export type Certainty =
  /** Nothing was taken, for a reason that passes: too many requests, out of reach. */
  | 'try_later'
  /** The fax was processed and refused: another submission would have the same result. */
  | 'not_accepted'
  /** It may have been taken: a person decides. */
  | 'unknown';

/** Thrown by transports. `message` is for the log; `publicMessage` is one sentence for a person, without secrets. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly certainty: Certainty;
  readonly category: ErrorCategory;
  readonly publicMessage: string;
  /** Pause that the transport requested before the next attempt; null when it named none. */
  readonly retryAfterMs: number | null;
  /** Null when the account is in order, as far as is known. */
  readonly accountProblem: AccountProblem | null;
  constructor(
    message: string,
    facts: {
      certainty: Certainty;
      category: ErrorCategory;
      publicMessage: string;
      retryAfterMs?: number | null;
      accountProblem?: AccountProblem | null;
      cause?: unknown;
    },
  ) {
    super(message, { cause: facts.cause });
    this.certainty = facts.certainty;
    this.category = facts.category;
    this.publicMessage = facts.publicMessage;
    this.retryAfterMs = facts.retryAfterMs ?? null;
    this.accountProblem = facts.accountProblem ?? null;
  }
}

/** Text of the header line on top of every page, beside date, time and page number. */
export interface HeaderLine {
  /**
   * At most 50 characters: the sender's name and number, where they are set, and the recipient's number where it fits.
   */
  readonly text: string;
  /** IANA name of the zone in which the time is printed, where the transport can. */
  readonly timeZone: string;
}

/** One fax as it is handed over. */
export interface FaxToSend {
  /** Of the attempt, which is handed over again only where nothing was taken before. */
  readonly attemptId: string;
  readonly jobId: string;
  /** Of the document. */
  readonly pages: number;
  /** The own number, E.164; null while it is not set. */
  readonly from: string | null;
  /** E.164. */
  readonly to: string;
  /**
   * The prepared PDF on local disk, with its key where it is sealed there: uploaded directly when `documentUrl` is null.
   * `sizeBytes` and `sha256` are those of the PDF itself.
   */
  readonly document: {
    readonly path: string;
    readonly key?: Uint8Array | undefined;
    readonly sizeBytes: number;
    readonly sha256: string;
    readonly fileName: string;
  };
  /** Tokenized public link of the same PDF, or null when the gateway has no public address. */
  readonly documentUrl: string | null;
  /** Header line to print; null when the settings name no sender, so that the transport prints its own. */
  readonly header: HeaderLine | null;
  /** Exact public address of this attempt's callback, or null: then only polling returns the outcome. */
  readonly callbackUrl: string | null;
  /** For a line of ours. */
  readonly limits: CallLimits;
  /** For a fax to an own number; left out for several faxes in one call. */
  readonly about?: FaxAbout;
}

/** Progress of a call at this moment. */
export interface CallProgress {
  readonly stage: CallStage;
  /** The page that is being sent, from 1; null before the first. */
  readonly page: number | null;
  readonly rateBps: number | null;
}

/** Details of a completed call on a line. Unknown ones are null. */
export interface EndedCall {
  /** ISO 8601 UTC; null for a call that nobody took. */
  readonly answeredAt: string | null;
  /** ISO 8601 UTC. */
  readonly endedAt: string | null;
  /** Q.850. */
  readonly cause: number | null;
  readonly sipStatus: number | null;
  readonly mode: CallMode | null;
  /** True when error correction was requested; null where no fax was begun. */
  readonly ecm: boolean | null;
  /** Dots per inch, across and down, e.g. `204x196`. */
  readonly resolution: string | null;
  /** Station id of the other machine: a hint, never an identity. */
  readonly stationId: string | null;
}

/** Details of a call about which nothing was recorded. */
export const UNKNOWN_CALL: EndedCall = {
  answeredAt: null,
  endedAt: null,
  cause: null,
  sipStatus: null,
  mode: null,
  ecm: null,
  resolution: null,
  stationId: null,
};

/** Report of a transport about a fax that it accepted. `in_progress` also stands for every unknown state. */
export interface TransportReport {
  /** The transport's own id of the fax, unique within the account. */
  readonly reference: string;
  /** `unconfirmed`: it ended, and it is uncertain whether it arrived; `failure` has the reason and the remedy. */
  readonly outcome: 'in_progress' | 'success' | 'failed' | 'unconfirmed';
  /** The word of the provider or line itself, for the history. */
  readonly rawStatus: string;
  readonly direction: 'sent' | 'received' | null;
  /** Pages that arrived as the provider or line counts them; null while unknown. */
  readonly pages: number | null;
  /** Pages of the document as the provider counts them; null or omitted while unknown. */
  readonly documentPages?: number | null;
  readonly rateBps: number | null;
  /** Cost billed by the provider; null while it is unknown, never 0. */
  readonly cost: Money | null;
  /** ISO 8601 UTC. */
  readonly completedAt: string | null;
  /** E.164 of the receiver as it is reported. */
  readonly to: string | null;
  /** One sentence for a person, e.g. `The line was busy.`; null unless failed or unconfirmed. */
  readonly failure: string | null;
  /** The call did not get through: the number was busy, or nobody answered. Null for all else. */
  readonly unreached: Unreached | null;
  /** True only when it is proved that no page left: then, and only then, the fax may go on by itself. */
  readonly noPageTransmitted: boolean;
  /** Progress of a call under way; omitted where none is reported. */
  readonly progress?: CallProgress;
  /** Of a call that was made and has ended; left out while it goes on, and where none is made. */
  readonly call?: EndedCall;
  /** Result of a completed call for the line memory; omitted where it has none. */
  readonly lineResult?: LineResult;
  /** The provider's or line's own name for the failure, e.g. `lineError 17`; null where it reported none. */
  readonly failureCode: string | null;
}

/** Fields of a report of a sent fax for which only the outcome is reported. */
export const EMPTY_REPORT = {
  direction: 'sent',
  pages: null,
  rateBps: null,
  cost: null,
  completedAt: null,
  to: null,
  failure: null,
  unreached: null,
  noPageTransmitted: false,
  failureCode: null,
} as const satisfies Omit<TransportReport, 'reference' | 'outcome' | 'rawStatus'>;

/** Answer of a transport that accepted a fax. */
export interface SubmittedFax {
  readonly reference: string;
  /** State of the fax, where it is known at once; else the transport is polled, or reports unprompted. */
  readonly report?: TransportReport;
  /**
   * Takes the fax in the transaction that records this answer, for a transport of the installation itself: what was not
   * recorded was not taken. Queries only; it runs again when the transaction is repeated.
   */
  take?(tx: WriteTx): Promise<void>;
}

/**
 * Returns the reference of a fax that is delivered directly: the id of its attempt as 32 hex digits. It is known before
 * anything is sent, so it cannot be lost.
 */
export const directReference = (attemptId: string): string => attemptId.replaceAll('-', '');

/** Sent faxes that are looked for: to a number (E.164), begun within a time (ISO 8601 UTC), or of an attempt. */
export interface SentSearch {
  readonly attemptId: string;
  readonly to: string;
  readonly from: string;
  readonly until: string;
}

/** A sent fax that a search found. */
export interface FoundFax {
  readonly report: TransportReport;
  /**
   * Attempt of the fax, where the transport stores our ids, so that nothing has to be compared. Null where it does not.
   */
  readonly attemptId: string | null;
  /** ISO 8601 UTC; null where it is not reported. */
  readonly beganAt: string | null;
  /** Pages of its document, however many of them arrived; null where it is not reported. */
  readonly documentPages: number | null;
  /** Callback address of the fax, without user and password; null where it is not reported. */
  readonly callbackUrl: string | null;
}

/** A fact of a signed receipt. A value with `isTime` is ISO 8601 UTC. */
export interface ReceiptFact {
  readonly label: string;
  readonly value: string;
  readonly isTime?: true;
}

/** A callback's form as it arrived: decoded values in wire order, file parts by name and lowercase SHA-1 hex. */
export interface CallbackForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: ReadonlyArray<readonly [name: string, sha1Hex: string]>;
}

/** A callback before it is verified. */
export interface ReceivedCallback {
  /** The exact address that the transport was given for this attempt. */
  readonly url: string;
  readonly form: CallbackForm;
  /** A request header by its lower-case name. */
  header(name: string): string | undefined;
}

/** `inflight` events (a page passed, a retry planned) are never outcomes. */
export type CallbackReading =
  | { readonly kind: 'report'; readonly report: TransportReport }
  | { readonly kind: 'inflight' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Verifies and reads signed callbacks. */
export interface CallbackReader<Credentials = unknown> {
  /**
   * Returns the problem when the head alone shows that nothing can prove the callback, whose body is then not read;
   * null while it may be proved.
   */
  headProblem(credentials: Credentials, header: ReceivedCallback['header']): ReportProblem | null;
  /**
   * Returns true only when the callback proves that it comes from the transport, by the captured account and over the
   * exact address. Constant time.
   */
  verifyCallback(credentials: Credentials, callback: ReceivedCallback): boolean;
  readCallback(form: CallbackForm): CallbackReading;
}

/**
 * A way by which a fax leaves. `credentials` are those that the plan captured: the room stores them sealed as JSON and
 * passes them back unread (`unknown`); only the adapter, which implements it for its own kind, reads them. Every function
 * throws TransportError when the transport cannot be reached or refuses.
 */
export interface Transport<Credentials = unknown> extends TransportName {
  readonly traits: TransportTraits;
  /** Opens a connection and sends nothing. Throws TransportError `try_later` when it cannot. */
  reach(credentials: Credentials): Promise<void>;
  /** Submits the fax once; never retries. */
  submit(credentials: Credentials, fax: FaxToSend): Promise<SubmittedFax>;
  /** Returns the present state of an accepted fax, also after a restart. */
  fetchReport(credentials: Credentials, reference: string): Promise<TransportReport>;
  /** Lists every sent fax that matches, for one whose reference was lost. Left out where there is no such query. */
  findSent?(credentials: Credentials, search: SentSearch): Promise<FoundFax[]>;
  /**
   * Stops an accepted fax as long as nothing was sent, and returns its end. Null when it is too late. Left out where the
   * traits do not include `stops`.
   */
  stop?(credentials: Credentials, reference: string): Promise<TransportReport | null>;
  /**
   * Lists the facts of the receipt that the recipient signed, for the transmission report. Left out where nobody signs any.
   */
  describeReceipt?(reference: string): Promise<readonly ReceiptFact[]>;
  /** Removes the files that the transport keeps of a fax whose outcome is recorded. Left out where nothing is kept. */
  forget?(credentials: Credentials, reference: string): Promise<void>;
  /** Null when it signs nothing: its callbacks prove nothing and are at most a reason for an immediate query. */
  readonly callbacks: CallbackReader<Credentials> | null;
}
