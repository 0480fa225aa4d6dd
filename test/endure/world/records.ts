import type { VendorFax } from './vendor.ts';

/** Record of a client about a fax that it sent. */
export interface ClientFax {
  /** Its Idempotency-Key. */
  readonly key: string;
  /** A number that no other fax of the trial has. */
  readonly to: string;
  /** From its first answer of 202 on. */
  id: string | null;
  /** Of the prepared document, as that answer named it. */
  sha256: string | null;
  /** True when a successful answer reported it as canceled. */
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
  /** True when the gateway acknowledged a notification of it. */
  isAcknowledged: boolean;
}

/** Fax as the gateway reports it, with the digest of its actual document. */
export interface ReportedFax {
  readonly id: string;
  readonly to: string;
  readonly state: string;
  /** Reason why it needs confirmation, or why it failed. */
  readonly reason: string | null;
  /** As it should be, by the record of the gateway. */
  readonly sha256: string;
  /** Of what was downloaded; null when the document is no more. */
  readonly downloaded: string | null;
}

export interface ReportedIncoming {
  readonly vendor: string;
  readonly id: string;
  readonly status: string;
  readonly pages: number | null;
  readonly problem: string | null;
  readonly sha256: string | null;
  readonly downloaded: string | null;
}

/** Evidence of a trial: the records of clients and providers, and those of the gateway at the end. */
export interface Evidence {
  readonly clients: readonly ClientFax[];
  readonly vendors: readonly VendorFax[];
  readonly incoming: readonly IncomingFax[];
  /** True when a clock jumped, so that the day in which a fax may leave can be over at once. */
  readonly hasJumped: boolean;
  readonly reportedFaxes: readonly ReportedFax[];
  readonly reportedIncoming: readonly ReportedIncoming[];
  /**
   * Digests of documents that were stored according to the gateway, and of those that are still anywhere in the data
   * folder.
   */
  readonly stored: ReadonlySet<string>;
  readonly found: ReadonlySet<string>;
}
