/** A caller, and the key under which they may repeat a request. */
export interface RequestKey {
  /** ID of the API key, or of the person. */
  readonly callerId: string;
  readonly key: string;
}

/** JSON answer to a request. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: unknown;
}

/** Request that was carried out. */
interface AnsweredRequest {
  /** Digest by which a repeated request is recognized. */
  readonly fingerprint: string;
  /** Null until the answer is known, and for ever after a crash just before that. */
  readonly answer: KeptAnswer | null;
}

/** Thrown when another request recorded the key first; nothing of this one was kept. */
export class KeyTakenError extends Error {
  override name = 'KeyTakenError';
}

/** Store of changes that were carried out under a key; the access room implements it. */
export interface AnsweredRequests {
  /** Returns the digest of a request, from which nobody without the data key finds a secret in it by trying. */
  digest(request: string): string;
  /** Returns null when no request has the key, or none any more. */
  find(request: RequestKey): Promise<AnsweredRequest | null>;
  /**
   * Carries a change out. Its first transaction records the key as well, so that both are kept or neither. The key is removed
   * when the change fails. Throws KeyTakenError.
   */
  carryOut<T>(request: RequestKey, fingerprint: string, change: () => Promise<T>): Promise<T>;
  /** Keeps the answer for LIMITS.answersKeptHours. */
  keep(request: RequestKey, fingerprint: string, answer: KeptAnswer): Promise<void>;
  /** Removes the key of a request whose answer is not kept. */
  forget(request: RequestKey): Promise<void>;
}
