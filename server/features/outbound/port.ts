import type { Backend } from '../../../shared/backends.ts';
import type { DeliveryState } from '../../../shared/states/outbound.ts';
import type { WriteTx } from '../../db/database.ts';
import type { FaxAbout } from '../../platform/fax-about.ts';
import type { Actor, Caller } from '../access/service.ts';
import type {
  EndedCall,
  Transport,
  TransportName,
  TransportReport,
  TransportTraits,
} from './transport-port.ts';

/** Capabilities of a step's transport with its account, as they were at acceptance. */
interface StepTraits extends TransportTraits {
  /** Maximum simultaneous calls of its account; null where the transport limits them itself. */
  readonly lines: number | null;
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
  readonly traits: StepTraits;
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
  /** True for a test fax, whose only step is the test transport. */
  readonly isTest?: boolean;
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

/** A partner that gets faxes directly. */
export interface DirectRecipient {
  readonly id: string;
  /** Its name, verified when its number was. */
  readonly organization: string;
}

/** Owned here, filled by a higher room that delivers originals to the installations of partners. */
export interface DirectDelivery {
  readonly transport: Transport;
  /** Returns the partner that gets faxes to the number (E.164) directly now; null where there is none. */
  recipientOf(to: string): Promise<DirectRecipient | null>;
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

/** Fax whose delivery state changed. */
interface ChangedState {
  readonly id: string;
  readonly state: DeliveryState;
  /** Delivery version that has the state. */
  readonly version: number;
  /** True for a fax of a test key. */
  readonly isTest: boolean;
  /** The broadcast that it is a fax of; null for other faxes. */
  readonly broadcastId: string | null;
  /** Sentence on a failure, or why it is held; null for none. */
  readonly error: string | null;
}

/** Fax that answers a received one. */
interface FaxAnswer {
  readonly id: string;
  /** Id of the received fax. */
  readonly answers: string;
  readonly state: DeliveryState;
}

/** Owned here, filled by the work queue, which records answers in the history of the item. */
export interface AnswerListener {
  /** Runs in the transaction that accepts the answer. Queries only. */
  accepted(tx: WriteTx, answer: FaxAnswer & { readonly by: Actor }): Promise<void>;
  /** Runs in the transaction that records that the answer was delivered, failed or canceled. Queries only. */
  ended(tx: WriteTx, answer: FaxAnswer): Promise<void>;
}

/** Owned here, filled by the room of print to fax, which is a higher one. */
export interface PrintedDocuments {
  /**
   * Runs in the transaction that accepts a fax: removes the printed documents that it was made from, those of the caller
   * among them. Queries only.
   */
  sent(
    tx: WriteTx,
    caller: Caller,
    fax: { readonly id: string; readonly printed: readonly string[] },
  ): Promise<void>;
}

/** Owned here, filled by a higher room that announces outcomes to programs. */
export interface StateListener {
  /** Runs in the transaction that records the new state. Queries only. */
  changed(tx: WriteTx, fax: ChangedState): Promise<void>;
}

/** Owned here, filled by the room of broadcasts, which is a higher one. */
export interface BroadcastListener {
  /** Runs in the transaction that records a fax which takes the place of an earlier one of its broadcast. Queries only. */
  replaced(tx: WriteTx, fax: { readonly earlier: string; readonly id: string }): Promise<void>;
}

/** Owned here, filled by a higher room that handles the line. */
export interface CallLog {
  /** Runs in the transaction that records the outcome of the faxes. Queries only. */
  ended(tx: WriteTx, call: LineCall): Promise<void>;
}

/** Description of a fax, and which one it is of. */
export interface LastAbout extends FaxAbout {
  readonly fax: { readonly direction: 'sent' | 'received'; readonly id: string; readonly at: string };
}

/** Received fax as an answer to it names it. */
export interface AnsweredFax {
  readonly id: string;
  /** E.164; null where the sender withheld it. */
  readonly from: string | null;
  /** ISO 8601 UTC. */
  readonly receivedAt: string;
}

/** Owned here, filled by the room of received faxes, which is a higher one. */
export interface ReceivedFaxes {
  /** Throws a 404 or 403 refusal unless the caller may read the received fax, as the room of received faxes does. */
  assertReadable(caller: Caller, id: string): Promise<void>;
  /** Returns those of the received faxes that the caller may read, by id. */
  readableAmong(caller: Caller, ids: readonly string[]): Promise<ReadonlyMap<string, AnsweredFax>>;
  /** Returns what the last fax received from the E.164 number is about, among those the caller may see; null for none. */
  lastAbout(caller: Caller, number: string): Promise<LastAbout | null>;
}
