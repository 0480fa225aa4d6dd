import type { WriteTx } from '../../db/database.ts';

/** Place from which the data key comes. */
export type KeySource = 'file' | 'environment' | 'keychain';

/** Progress of a replacement of the data key. */
interface ReplacementState {
  /** ISO 8601 UTC. */
  readonly startedAt: string;
  readonly startedBy: string;
  /** Pass through everything, from 1; the last one finds nothing that the new key alone does not open. */
  readonly pass: number;
  /** Texts and files sealed with the new key so far. */
  readonly resealed: number;
  /** Texts and documents of the present pass that open with neither key. */
  readonly unreadable: number;
  /** Reason why it does not go on at present, as a sentence; null while it does. */
  readonly problem: string | null;
}

interface KeyState {
  readonly source: KeySource;
  /** Hexadecimal digits of the key that seals. */
  readonly fingerprint: string;
  /** ISO 8601 UTC: the first start with this key, or the beginning of the replacement that made it. */
  readonly madeAt: string;
  readonly replacement: ReplacementState | null;
}

/** Replaces the data key while the gateway runs. */
export interface KeyReplacer {
  state(): Promise<KeyState>;
  /** Returns the reason why no replacement can begin, as a sentence; null when one can. */
  obstacle(): Promise<string | null>;
  /**
   * Makes a new data key, which seals from now on; the former one opens until the end. `record` runs in the transaction that
   * begins it. Throws errors of the file system and of the database; then nothing is sealed with a new key.
   */
  begin(by: string, record: (tx: WriteTx) => Promise<void>): Promise<void>;
  /** Lets the replacement end although some texts open with neither key. */
  acceptUnreadable(): Promise<void>;
  /** Returns true while a replacement is under way, in the transaction. */
  isUnderWay(tx: WriteTx): Promise<boolean>;
  /** Returns the replacement that the environment requests by a new and a former key; null without one. */
  requested(): Promise<{
    readonly by: string;
    /** Reason why it cannot begin, as a sentence; null when it can. */
    readonly obstacle: string | null;
  } | null>;
  /**
   * Goes on with the replacement. `recordEnd` runs in the transaction that ends it. Returns the milliseconds after which it has to
   * be called again; null when no replacement is under way.
   */
  run(signal: AbortSignal, recordEnd: (tx: WriteTx) => Promise<void>): Promise<number | null>;
}
