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

/** What the header line says of the sender, on top of every page. */
export interface HeaderLine {
  /** At most 50 characters: the sender's name and number, as far as they are known. */
  readonly text: string;
  /** IANA name of the zone in which the time is printed, where the transport can. */
  readonly timeZone: string;
}

/** One fax as it is handed over. */
export interface FaxToSend {
  /** E.164. */
  readonly to: string;
  /**
   * The prepared PDF on local disk, with its key where it is sealed there: uploaded directly when `documentUrl` is null.
   * `sizeBytes` is that of the PDF itself.
   */
  readonly document: {
    readonly path: string;
    readonly key?: Uint8Array | undefined;
    readonly sizeBytes: number;
    readonly fileName: string;
  };
  /** Tokenised public link of the same PDF, or null when the gateway has no public address. */
  readonly documentUrl: string | null;
  /** The header line that we ask for; null: the sender is not named in the settings, so the transport prints its own. */
  readonly header: HeaderLine | null;
  /** Exact public address of this attempt's callback, or null: then only polling tells the outcome. */
  readonly callbackUrl: string | null;
}

/** One observation of a fax that was taken. `in_progress` also stands for every state that is not known. */
export interface FaxReport {
  readonly outcome: 'in_progress' | 'success' | 'failed';
  /** The word of the provider or line itself, for the history. */
  readonly rawStatus: string;
  readonly direction: 'sent' | 'received' | null;
  /** Pages that arrived as the provider or line counts them; null while unknown. */
  readonly pages: number | null;
  readonly rateBps: number | null;
  /** Minor units (cents) and currency, or null while unknown: never 0 for unknown. */
  readonly cost: { readonly amountMinor: number; readonly currency: string } | null;
  /** ISO 8601 UTC. */
  readonly completedAt: string | null;
  /** E.164 of the receiver as it is reported. */
  readonly to: string | null;
  /** One sentence for a person, e.g. `The line was busy. (lineError 17)`; null unless failed. */
  readonly failure: string | null;
}

/** A callback's form as it arrived: decoded values in wire order, file parts by name and lowercase SHA-1 hex. */
export interface CallbackForm {
  readonly fields: ReadonlyArray<readonly [name: string, value: string]>;
  readonly files: ReadonlyArray<readonly [name: string, sha1Hex: string]>;
}
