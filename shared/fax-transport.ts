import type { Money } from './money.ts';
import type { Unreached } from './states/outbound.ts';
import type { CallMode, CallStage } from './states/telephony.ts';

/**
 * Contract between the room of sent faxes and the transports (a provider's adapter, a telephone line). It is shared
 * because an adapter depends on no room.
 */

/** Certainty that a fax was not accepted. Only the adapter decides it; nothing else guesses. */
export type Certainty =
  /** Nothing was taken, for a reason that passes: too many requests, out of reach. */
  | 'try_later'
  /** The fax was processed and refused: another submission would have the same result. */
  | 'not_accepted'
  /** It may have been taken: a person decides. */
  | 'unknown';

/** Text of the header line on top of every page, beside date, time and page number. */
export interface HeaderLine {
  /**
   * At most 50 characters: the sender's name and number, where they are set, and the recipient's number where it fits.
   */
  readonly text: string;
  /** IANA name of the zone in which the time is printed, where the transport can. */
  readonly timeZone: string;
}

/** Features that a call on our own line leaves out, because earlier calls to its number succeeded only without them. */
export interface CallLimits {
  readonly withoutT38: boolean;
  readonly withoutEcm: boolean;
  /** Bits per second; null for what the line does at best. */
  readonly mostRate: number | null;
}

/** A call with the best settings of the line. */
export const NO_LIMITS: CallLimits = { withoutT38: false, withoutEcm: false, mostRate: null };

/** Obstacle to the transfer of the pages, between the two machines. */
export type CallTrouble =
  /** The other side did not switch to T.38; also where it hung up meanwhile. */
  | 't38'
  /** The machines found no speed. */
  | 'training'
  /** Error correction broke off. */
  | 'ecm'
  /** Pages did not get through, or were not confirmed. */
  | 'pages';

/** Result of a call on our own line for the line memory of its number. */
export interface CallLesson {
  /** Best settings of the line; `mostRate` in bits per second. */
  readonly best: { readonly t38: boolean; readonly ecm: boolean; readonly mostRate: number };
  /** Mode in which the pages were sent; null where it is unknown. */
  readonly mode: CallMode | null;
  /** Null: every page arrived. */
  readonly trouble: CallTrouble | null;
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

/** One report about an accepted fax. `in_progress` also stands for every unknown state. */
export interface FaxReport {
  /** `unconfirmed`: it ended, and it is uncertain whether it arrived; `failure` has the reason and the remedy. */
  readonly outcome: 'in_progress' | 'success' | 'failed' | 'unconfirmed';
  /** The word of the provider or line itself, for the history. */
  readonly rawStatus: string;
  readonly direction: 'sent' | 'received' | null;
  /** Pages that arrived as the provider or line counts them; null while unknown. */
  readonly pages: number | null;
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
  readonly lesson?: CallLesson;
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
} as const satisfies Omit<FaxReport, 'outcome' | 'rawStatus'>;

/** Sent faxes that are looked for: to a number (E.164), begun within a time (ISO 8601 UTC), or of an attempt. */
export interface SentSearch {
  readonly attemptId: string;
  readonly to: string;
  readonly from: string;
  readonly until: string;
}

/** Details of a sent fax that was found, beside its report. */
export interface FoundFacts {
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

/** A callback's form as it arrived: decoded values in wire order, file parts by name and lowercase SHA-1 hex. */
export interface CallbackForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: ReadonlyArray<readonly [name: string, sha1Hex: string]>;
}
