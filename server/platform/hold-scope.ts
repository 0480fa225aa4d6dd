/** Faxes that a legal hold covers: those that are named, and those that every other value given applies to. */
export interface HoldScope {
  readonly faxIds: readonly string[];
  readonly caseId: string | null;
  /** E.164 numbers of senders and recipients; empty for any. */
  readonly numbers: readonly string[];
  readonly mailboxId: string | null;
  /** Stored times: from this one on, and before that one; null for any. */
  readonly since: string | null;
  readonly until: string | null;
}
