import type { StayingReason } from '../../../shared/api/archives-reasons.ts';
import type { ReadDb, WriteTx } from '../../db/database.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { WorkParts } from './parts.ts';
import { deleteItems, itemsOfFaxes, lockItems } from './store/removal-store.ts';

/** Work items for archives of received faxes. All work inside a transaction. */
export interface WorkArchiving {
  /** Returns a digest of the item of each fax with its history; faxes without an item are left out. */
  revisionsOf(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns the reason why faxes stay for their items: one that is not done. */
  reasonsToStay(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlyMap<string, StayingReason>>;
  /** Lets nobody change the items of faxes until the end of the transaction. */
  lock(tx: WriteTx, faxIds: readonly string[]): Promise<void>;
  /** Removes the items of faxes with their histories, a few dozen at most. */
  remove(tx: WriteTx, faxIds: readonly string[]): Promise<void>;
}

export const createWorkArchiving = ({ db: { capabilities } }: Pick<WorkParts, 'db'>): WorkArchiving => ({
  async revisionsOf(db, faxIds) {
    return new Map(
      (await itemsOfFaxes(db, faxIds)).map((item) => [
        item.inbound_fax_id,
        sha256Hex(JSON.stringify([item.id, item.version, item.history_count, item.history_digest])),
      ]),
    );
  },
  async reasonsToStay(db, faxIds) {
    const open = (await itemsOfFaxes(db, faxIds)).filter(({ done_at }) => done_at === null);
    return new Map(open.map(({ inbound_fax_id }) => [inbound_fax_id, 'linked']));
  },
  lock: (tx, faxIds) => lockItems(tx, capabilities, faxIds),
  remove: deleteItems,
});
