import type { Money } from './money.ts';
import type { CallMode, CallStage, Unreached } from './states.ts';

/**
 * What the room of sent faxes and whatever carries a fax away (a provider's adapter, a telephone line) tell each other. It
 * stands here because an adapter knows no room.
 */

/** How sure it is that a fax was not taken. Only the adapter decides this; nobody guesses. */
export type Certainty =
  /** Nothing was taken, for a reason that passes: too many requests, out of reach. */
  | 'try_later'
  /** The fax was looked at and refused: asked again, the answer stays the same. */
  | 'not_accepted'
  /** It may have been taken: a person decides. */
  | 'unknown';

/** What the header line says, on top of every page, beside date, time and page number. */
export interface HeaderLine {
  /** At most 50 characters: the sender's name and number, as far as they are known, and the recipient's where it fits. */
  readonly text: string;
  /** IANA name of the zone in which the time is printed, where the transport can. */
  readonly timeZone: string;
}

/** What a call on a line of ours goes without, since earlier calls to its number got through no other way. */
export interface CallLimits {
  readonly withoutT38: boolean;
  readonly withoutEcm: boolean;
  /** Bits per second; null for what the line does at best. */
  readonly mostRate: number | null;
}

/** A call with the best settings of the line. */
export const NO_LIMITS: CallLimits = { withoutT38: false, withoutEcm: false, mostRate: null };

/** What stood in the way of the pages, on the side of the machines that talked to each other. */
export type CallTrouble =
  /** The other side did not switch to T.38; also where it hung up meanwhile. */
  | 't38'
  /** The machines found no speed. */
  | 'training'
  /** Error correction broke off. */
  | 'ecm'
  /** Pages did not get through, or were not confirmed. */
  | 'pages';

/** What a call on a line of ours shows of the way to its number. */
export interface CallLesson {
  /** What the line does at best; `mostRate` in bits per second. */
  readonly best: { readonly t38: boolean; readonly ecm: boolean; readonly mostRate: number };
  /** How the pages went; null where that is not known. */
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
  /** Tokenised public link of the same PDF, or null when the gateway has no public address. */
  readonly documentUrl: string | null;
  /** The header line that we ask for; null: the sender is not named in the settings, so the transport prints its own. */
  readonly header: HeaderLine | null;
  /** Exact public address of this attempt's callback, or null: then only polling tells the outcome. */
  readonly callbackUrl: string | null;
  /** For a line of ours. */
  readonly limits: CallLimits;
}

/** Where a call stands at this moment. */
export interface CallProgress {
  readonly stage: CallStage;
  /** The page that is being sent, from 1; null before the first. */
  readonly page: number | null;
  readonly rateBps: number | null;
}

/** What a line noted of a call that was made and has ended. What it does not know is null. */
export interface EndedCall {
  /** ISO 8601 UTC; null for a call that nobody took. */
  readonly answeredAt: string | null;
  /** ISO 8601 UTC. */
  readonly endedAt: string | null;
  /** Q.850. */
  readonly cause: number | null;
  readonly sipStatus: number | null;
  readonly mode: CallMode | null;
  /** Whether error correction was asked for; null where no fax was begun. */
  readonly ecm: boolean | null;
  /** Dots per inch, across and down, e.g. `204x196`. */
  readonly resolution: string | null;
  /** What the other machine calls itself: a hint, never an identity. */
  readonly stationId: string | null;
}

/** Of a call of which nothing was noted. */
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

/** One observation of a fax that was taken. `in_progress` also stands for every state that is not known. */
export interface FaxReport {
  /** `unconfirmed`: it ended, and nobody can tell whether it arrived; `failure` says why and what to do. */
  readonly outcome: 'in_progress' | 'success' | 'failed' | 'unconfirmed';
  /** The word of the provider or line itself, for the history. */
  readonly rawStatus: string;
  readonly direction: 'sent' | 'received' | null;
  /** Pages that arrived as the provider or line counts them; null while unknown. */
  readonly pages: number | null;
  readonly rateBps: number | null;
  /** What the provider billed; null while unknown: never 0 for unknown. */
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
  readonly noPageLeft: boolean;
  /** How far a call is that goes on; left out where nobody can tell. */
  readonly progress?: CallProgress;
  /** Of a call that was made and has ended; left out while it goes on, and where none is made. */
  readonly call?: EndedCall;
  /** What a call that ended shows of the way to its number; left out where it shows nothing. */
  readonly lesson?: CallLesson;
  /** What the provider or line calls the failure itself, e.g. `lineError 17`; null where it told nothing. */
  readonly failureCode: string | null;
}

/** What a report of a sent fax says beside its outcome while nothing else is known. */
export const NOTHING_TOLD = {
  direction: 'sent',
  pages: null,
  rateBps: null,
  cost: null,
  completedAt: null,
  to: null,
  failure: null,
  unreached: null,
  noPageLeft: false,
  failureCode: null,
} as const satisfies Omit<FaxReport, 'outcome' | 'rawStatus'>;

/** Sent faxes that are looked for: to a number (E.164), begun within a time (ISO 8601 UTC), or of an attempt. */
export interface SentSearch {
  readonly attemptId: string;
  readonly to: string;
  readonly from: string;
  readonly until: string;
}

/** What is known of a sent fax that was found, beside its report. */
export interface FoundFacts {
  /** Where the transport knows our ids: whose fax it is, which leaves nothing to compare. Null where it does not. */
  readonly attemptId: string | null;
  /** ISO 8601 UTC; null where it is not told. */
  readonly beganAt: string | null;
  /** Of its document, however many of them arrived; null where it is not told. */
  readonly documentPages: number | null;
  /** Where it is reported, without user and password; null where it is not told. */
  readonly callbackUrl: string | null;
}

/** A callback's form as it arrived: decoded values in wire order, file parts by name and lowercase SHA-1 hex. */
export interface CallbackForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: ReadonlyArray<readonly [name: string, sha1Hex: string]>;
}
