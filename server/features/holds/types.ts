import type { LegalHoldTable } from '../../db/schema/holds.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';

export type HoldRow = LegalHoldTable;

/** A legal hold that was not released, with the faxes that it covers. */
export interface OpenHold extends HoldScope {
  readonly id: string;
  readonly name: string;
}

/** Facts of a fax that decide about a hold. */
export interface HeldFacts {
  readonly id: string;
  /** E.164 numbers of its sender and recipient; null where unknown. */
  readonly numbers: readonly (string | null)[];
  readonly caseId: string | null;
  readonly mailboxId: string | null;
  /** Time of its record, ISO 8601 UTC. */
  readonly at: string;
}

/** Number of faxes that a hold covers, and of documents that its release lets the next cleanup delete. */
export interface HeldFigures {
  readonly sent: number;
  readonly received: number;
  readonly documentsDue: number;
  /** ISO 8601 UTC; null while documents are kept for good. */
  readonly nextCleanupAt: string | null;
}
