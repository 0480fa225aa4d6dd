import type { ReadDb } from '../../db/database.ts';
import type { HoldScope } from '../../platform/hold-scope.ts';
import type { Caller } from '../access/service.ts';
import type { HeldFigures } from './types.ts';

/** Sent and received faxes, as this room needs them. They come with higher rooms. */
export interface HeldFaxes {
  /** Returns those of the ids that belong to a fax that the caller may read. */
  readableAmong(caller: Caller, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Returns those of the ids that belong to a fax. Works inside a transaction. */
  existingAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Counts the faxes of a hold; documents that one of `others` covers as well are not due. */
  figuresOf(hold: HoldScope, others: readonly HoldScope[]): Promise<HeldFigures>;
}
