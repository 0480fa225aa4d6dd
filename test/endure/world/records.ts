import type { VendorFax } from './vendor.ts';

/** What a client knows of a fax that it sent. */
export interface ClientFax {
  /** Its Idempotency-Key. */
  readonly key: string;
  /** A number that no other fax of the trial has. */
  readonly to: string;
  /** From its first answer of 202 on. */
  id: string | null;
  /** Of the prepared document, as that answer named it. */
  sha256: string | null;
  /** Whether a good answer said that it is cancelled. */
  isCancelled: boolean;
  /** A person took the decision to send it once more. */
  isSentAgain?: boolean;
}

/** A fax that came in at a provider. */
export interface IncomingFax {
  readonly vendor: string;
  readonly id: string;
  readonly pages: number;
  readonly sha256: string;
  /** Whether the gateway acknowledged a notification of it. */
  isAcknowledged: boolean;
}

/** A fax as the gateway tells of it, with what its document really is. */
export interface ToldFax {
  readonly id: string;
  readonly to: string;
  readonly state: string;
  /** Why a person is asked, or why it failed. */
  readonly reason: string | null;
  /** As it should be, by the record of the gateway. */
  readonly sha256: string;
  /** Of what was downloaded; null when the document is no more. */
  readonly downloaded: string | null;
}

export interface ToldIncoming {
  readonly vendor: string;
  readonly id: string;
  readonly status: string;
  readonly pages: number | null;
  readonly problem: string | null;
  readonly sha256: string | null;
  readonly downloaded: string | null;
}

/** Everything that a trial is judged by: what clients and providers know, and what the gateway says at the end. */
export interface Evidence {
  readonly clients: readonly ClientFax[];
  readonly vendors: readonly VendorFax[];
  readonly incoming: readonly IncomingFax[];
  /** Whether a clock jumped: then a day in which a fax could not leave may be over at once. */
  readonly hasJumped: boolean;
  readonly told: readonly ToldFax[];
  readonly toldIncoming: readonly ToldIncoming[];
  /** Digests of documents that were stored when the gateway said so, and those that are still anywhere in the data folder. */
  readonly stored: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}
