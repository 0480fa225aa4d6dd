import type { Backend } from '../../../shared/backends.ts';
import type {
  CallbackForm,
  Certainty,
  EndedCall,
  FaxReport,
  FaxToSend,
  FoundFacts,
  SentSearch,
} from '../../../shared/fax-transport.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { ErrorCategory } from '../../../shared/states/outbound.ts';
import type { WriteTx } from '../../db/database.ts';

export type { CallbackForm, Certainty, FaxToSend, SentSearch };

/** Kind of transport: a cloud provider, the own telephone line, a number of this installation, or a partner. */
export type TransportKind = 'provider' | 'line' | 'own_number' | 'partner';

/** Names a transport of this release. */
export interface TransportName {
  readonly kind: TransportKind;
  readonly backend: Backend;
}

/** Capabilities of a transport; captured with the step. */
export interface TransportTraits {
  /** It can be queried for the present state of accepted faxes. */
  readonly polls: boolean;
  /** It reports unprompted, to the callback address of the attempt. */
  readonly callbacks: boolean;
  /** It prints the time of the header line in the requested time zone. */
  readonly printsOurTime: boolean;
  /** It numbers the pages in the header line as requested. */
  readonly numbersPages: boolean;
  /** A header line is printed on the pages on their way. */
  readonly printsHeader: boolean;
  /** It can stop an accepted fax before delivery. */
  readonly stops: boolean;
  /** Maximum simultaneous calls of its account; null where the transport limits them itself. */
  readonly lines: number | null;
}

/** Thrown by transports. `message` is for the log; `publicMessage` is one sentence for a person, without secrets. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly certainty: Certainty;
  readonly category: ErrorCategory;
  readonly publicMessage: string;
  /** Pause that the transport requested before the next attempt; null when it named none. */
  readonly retryAfterMs: number | null;
  constructor(
    message: string,
    facts: {
      certainty: Certainty;
      category: ErrorCategory;
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

/** Report of a transport about a fax that it accepted. */
export interface TransportReport extends FaxReport {
  /** The transport's own id of the fax, unique within the account. */
  readonly reference: string;
}

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

/** A sent fax that a search found. */
export interface FoundReport extends FoundFacts {
  readonly report: TransportReport;
}

/** `inflight` events (a page passed, a retry planned) are never outcomes. */
export type CallbackReading =
  | { readonly kind: 'report'; readonly report: TransportReport }
  | { readonly kind: 'inflight' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Verifies and reads signed callbacks. */
export interface CallbackReader {
  /**
   * Returns the problem when the head alone shows that nothing proves the callback, whose body is then not read; null
   * while it may be proved.
   */
  headProblem(credentials: unknown, header: (name: string) => string | undefined): ReportProblem | null;
  /** True only for a right signature over the exact address, by the captured account. Constant time. */
  verify(
    credentials: unknown,
    callback: { url: string; form: CallbackForm; header(name: string): string | undefined },
  ): boolean;
  read(form: CallbackForm): CallbackReading;
}

/**
 * A way by which a fax leaves. `credentials` are those that the plan captured: this room stores them sealed and hands
 * them back, and only the adapter reads them. Everything throws TransportError when the transport cannot be had.
 */
export interface Transport extends TransportName {
  /** Opens the way and sends nothing. */
  reach(credentials: unknown): Promise<void>;
  /** Submits the fax once; never retries. */
  begin(credentials: unknown, request: FaxToSend): Promise<SubmittedFax>;
  /** The present state of what was begun, also after a restart. */
  resume(credentials: unknown, reference: string): Promise<TransportReport>;
  /** Lists every sent fax that matches, for one whose reference was lost; null when the transport has no such query. */
  readonly find: ((credentials: unknown, search: SentSearch) => Promise<FoundReport[]>) | null;
  /**
   * Stops an accepted fax and returns its end. Null when it is too late. Called only where the traits include `stops`.
   */
  stop(credentials: unknown, reference: string): Promise<TransportReport | null>;
  /** Called once the outcome is recorded: what it keeps of the fax may go. */
  forget(credentials: unknown, reference: string): Promise<void>;
  /** Null when it signs nothing: its callbacks prove nothing and are at most a reason for an immediate query. */
  readonly callbacks: CallbackReader | null;
}

/** The delivery route of a step, as it was at acceptance. */
export interface StepRoute {
  readonly id: string;
  readonly name: string;
  /** The own number, E.164; null for that of the settings. */
  readonly ownNumber: string | null;
  /** Sender name in the header line; null for the organization of the settings. */
  readonly headerName: string | null;
}

/** A step as it is chosen at acceptance, before the room adds the header and the addresses. */
export interface ChosenStep {
  readonly transport: TransportName;
  /** `id` is for evidence and comparison and holds no secret; `credentials` are the adapter's own. */
  readonly account: { readonly id: string; readonly credentials: unknown };
  readonly traits: TransportTraits;
  /** A sentence or more: why this step, and why in this place. */
  readonly reason: string;
  /** Null where no route chose it. */
  readonly route: StepRoute | null;
  /** Pool of lines that its calls use: that of its account, or that of its route alone. */
  readonly linesOf: string;
  /** True when it is taken only after the step before it definitely failed. */
  readonly isNextRoute: boolean;
  /** Path of the callbacks on the public address, e.g. `/cloudone-callback`; null when it never calls back. */
  readonly callbackPath: string | null;
}

/** A fax to be planned; `to` is E.164, and empty while unknown. */
export interface FaxToPlan {
  readonly to: string;
  readonly byCall: boolean;
  /** The delivery route that the contact of the number names; null for none. */
  readonly preferredRoute: string | null;
}

export type ChosenPlan =
  | {
      readonly steps: readonly ChosenStep[];
      /** The provider of the first step that is a call; where none is, that of the settings. */
      readonly backend: Backend;
    }
  | { readonly refusal: string };

/** Owned here, filled by the composition root: this room names no transport. */
export interface Transports {
  /**
   * Returns the steps for a fax that is accepted now, in their order and at least one; or a sentence with the reason
   * there are none.
   */
  plan(fax: FaxToPlan): Promise<ChosenPlan>;
  /** Returns the display name of a backend's transports, e.g. the vendor's name. */
  nameOf(backend: Backend): string;
  /** The transport of a captured step. Throws when this release has none of that name. */
  of(name: TransportName): Transport;
}

/** A call over a line of our own that was made and has ended. */
export interface LineCall {
  /** The line's own id of the call: one call has one, however many faxes it carried and however often it is reported. */
  readonly reference: string;
  readonly account: string;
  /** E.164. */
  readonly to: string;
  /** The own number, E.164; null where none was set. */
  readonly from: string | null;
  /** ISO 8601 UTC; time at which the call was requested from the line. */
  readonly startedAt: string | null;
  /** IDs of its faxes, in the order of the pages. */
  readonly faxIds: readonly string[];
  /** Pages of all its faxes. */
  readonly pages: number;
  readonly report: TransportReport & { readonly call: EndedCall };
  /** True when a person canceled the fax while it rang. */
  readonly isCanceled: boolean;
}

/** Owned here, filled by a higher room that handles the line. */
export interface CallLog {
  /** Runs in the transaction that records the outcome of the faxes. Queries only. */
  ended(tx: WriteTx, call: LineCall): Promise<void>;
}
