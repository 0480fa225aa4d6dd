import type { CallbackForm, Certainty, FaxReport, FaxToSend } from '../../../shared/fax-transport.ts';
import type { ReportProblem } from '../../../shared/report-problems.ts';
import type { Backend, ErrorCategory } from '../../../shared/states.ts';

export type { CallbackForm, Certainty, FaxToSend };

/** By what a fax leaves: a cloud provider, the own telephone line, a number of this installation, or a partner. */
export type TransportKind = 'provider' | 'line' | 'own_number' | 'partner';

/** Names a transport of this release. */
export interface TransportName {
  readonly kind: TransportKind;
  readonly backend: Backend;
}

/** What the room may expect of a transport; captured with the step. */
export interface TransportTraits {
  /** It can be asked for the present state of what it accepted. */
  readonly polls: boolean;
  /** It reports by itself, to the callback address of the attempt. */
  readonly callbacks: boolean;
  /** It prints the time of the header line in the zone that it is given. */
  readonly printsOurTime: boolean;
  /** What it accepted can be stopped before it is delivered. */
  readonly stops: boolean;
}

/** What a transport throws. `message` is for the log; `publicMessage` is one sentence for a person, without secrets. */
export class TransportError extends Error {
  override name = 'TransportError';
  readonly certainty: Certainty;
  readonly category: ErrorCategory;
  readonly publicMessage: string;
  /** How long the transport asks us to wait before the next try; null when it does not say. */
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

/** What a transport tells of a fax that it accepted. */
export interface TransportReport extends FaxReport {
  /** The transport's own id of the fax, unique within the account. */
  readonly reference: string;
  /** True only when it is proved that no page left: then, and only then, another step may be taken. */
  readonly noPageLeft: boolean;
}

/** `inflight` events (a page passed, a retry planned) are never outcomes. */
export type CallbackReading =
  | { readonly kind: 'report'; readonly report: TransportReport }
  | { readonly kind: 'inflight' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** How signed callbacks are verified and read. */
export interface CallbackReader {
  /** Why the head alone shows that nothing proves the callback, of which then nothing is read; null while it may be proved. */
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
  /** Hands the fax over once; never repeats by itself. */
  begin(credentials: unknown, request: FaxToSend): Promise<{ readonly reference: string }>;
  /** The present state of what was begun, also after a restart. */
  resume(credentials: unknown, reference: string): Promise<TransportReport>;
  /** Stops what was begun. False when it is too late. Called only where the traits say `stops`. */
  stop(credentials: unknown, reference: string): Promise<boolean>;
  /** Null when it signs nothing: its callbacks prove nothing and are at most a reason to ask at once. */
  readonly callbacks: CallbackReader | null;
}

/** A step as it is chosen at acceptance, before the room adds the header and the addresses. */
export interface ChosenStep {
  readonly transport: TransportName;
  /** `id` is for evidence and comparison and holds no secret; `credentials` are the adapter's own. */
  readonly account: { readonly id: string; readonly credentials: unknown };
  readonly traits: TransportTraits;
  /** One sentence: why this step, and why in this place. */
  readonly reason: string;
  /** Path of the callbacks on the public address, e.g. `/cloudone-callback`; null when it never calls back. */
  readonly callbackPath: string | null;
}

/** Owned here, filled by the composition root: this room knows no transport by name. */
export interface Transports {
  /** The steps for a fax that is accepted now, in their order and at least one; or the sentence that says why not. */
  plan(fax: {
    readonly to: string;
    readonly byCall: boolean;
  }): { readonly steps: readonly ChosenStep[] } | { readonly refusal: string };
  /** The transport of a captured step. Throws when this release has none of that name. */
  of(name: TransportName): Transport;
}
