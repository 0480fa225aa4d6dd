import type { DeliveryState } from '../../../shared/states/outbound.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { Caller } from '../access/service.ts';

/** Facts about a number from its faxes. */
interface NumberFacts {
  /** ISO 8601 UTC; null when no fax reached it. */
  readonly last_success_at: string | null;
  /** Faxes that failed in the last 30 days, since one last reached it. */
  readonly recent_failures: number;
}

/** A fax to or from a contact. */
interface ContactFax {
  readonly direction: 'sent' | 'received';
  readonly id: string;
  /** E.164. */
  readonly number: string;
  /** Null while unknown. */
  readonly pages: number | null;
  /** Null for a received fax. */
  readonly delivery_state: DeliveryState | null;
  /** ISO 8601 UTC. */
  readonly at: string;
}

/** Sums of the faxes to some numbers, and the newest of them. */
interface SentHistory {
  readonly delivered: number;
  readonly failed: number;
  readonly pagesDelivered: number;
  /** ISO 8601 UTC; null when there is none. */
  readonly lastFailureAt: string | null;
  /** Newest first. */
  readonly recent: readonly ContactFax[];
}

/** Filled by the room of sent faxes, which is a higher one. */
export interface NumberMemory {
  /** Returns facts by E.164 number, from the faxes that the caller may see; numbers without a sent fax are left out. */
  factsOf(caller: Caller, numbers: readonly string[]): Promise<ReadonlyMap<string, NumberFacts>>;
  /** Returns those of the E.164 numbers with a sent fax that the caller may see. */
  seenNumbers(caller: Caller, numbers: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns the E.164 numbers of the caller's faxes, the last used first, with the time (ISO 8601 UTC). */
  recentNumbers(
    caller: Caller,
    limit: number,
  ): Promise<readonly { readonly number: string; readonly usedAt: string }[]>;
  /** Returns the `limit` newest faxes to the E.164 numbers, among those that the caller may see. */
  historyOf(caller: Caller, numbers: readonly string[], limit: number): Promise<SentHistory>;
}

/** Filled by the room of received faxes, which is a higher one. */
export interface ReceivedMemory {
  /** Returns the newest faxes from the E.164 numbers that the caller may see, newest first. */
  receivedFrom(caller: Caller, numbers: readonly string[], limit: number): Promise<readonly ContactFax[]>;
}

/** Filled by the room of received faxes, which is a higher one. */
export interface KeyListener {
  /** Runs in the transaction that gives the contact of an E.164 number a shared key. Queries only. */
  changed(tx: WriteTx, contact: { readonly contactId: string; readonly number: string }): Promise<void>;
}

/** The delivery routes that contacts may name; filled by the composition root. */
export interface RouteNames {
  /** Returns the names of the existing routes by ID; of all routes when `ids` is left out. */
  namesOf(db: ReadDb, ids?: readonly string[]): Promise<ReadonlyMap<string, string>>;
}
