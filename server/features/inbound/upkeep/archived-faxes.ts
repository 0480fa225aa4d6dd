import type { StayingReason } from '../../../../shared/api/archives-reasons.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { ArchiveOfFax } from '../../../platform/archive-of-fax.ts';
import { isoTime } from '../../../platform/clock.ts';
import { sha256Hex } from '../../../platform/hash.ts';
import { holdsOn } from '../../holds/service.ts';
import type { ArchivedRevision } from '../../outbound/service.ts';
import { heldFactsOf } from '../legal-hold.ts';
import type { InboundParts } from '../parts.ts';
import { findFaxes } from '../store/list-store.ts';
import { originalsOf } from '../store/original-store.ts';
import {
  countReceived,
  deleteFaxes,
  evidenceCounts,
  existingAmong,
  lockFaxes,
} from '../store/removal-store.ts';
import type { FaxRow } from '../types.ts';

/** Received faxes for archives: their revisions, and their removal from the store. All work inside a transaction. */
export interface ReceivedArchiving {
  /** Returns a digest of the whole record of each fax, which every change of it changes. */
  revisionsOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Returns those of the ids that belong to a fax. */
  existingAmong(db: ReadDb, ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Lets nobody change faxes until the end of the transaction. */
  lock(tx: WriteTx, ids: readonly string[]): Promise<void>;
  /** Returns the reason why each fax stays, null where it may leave; a fax that is gone is left out. */
  reasonsToStay(
    db: ReadDb,
    faxes: readonly ArchivedRevision[],
    unchangedSince: string,
  ): Promise<ReadonlyMap<string, StayingReason | null>>;
  /**
   * Removes faxes, a few dozen at most, after everything in higher rooms that belongs to them. The documents have to be deleted
   * after the commit.
   */
  remove(
    tx: WriteTx,
    ids: readonly string[],
    archive: ArchiveOfFax,
  ): Promise<{ readonly count: number; readonly documents: readonly string[] }>;
  countReceived(db: ReadDb, since: string, until: string): Promise<number>;
}

export function createReceivedArchiving(
  parts: Pick<InboundParts, 'db' | 'clock' | 'holds' | 'unreadIndex'>,
): ReceivedArchiving {
  return {
    revisionsOf,
    existingAmong,
    lock: (tx, ids) => lockFaxes(tx, parts.db.capabilities, ids),
    async reasonsToStay(db, faxes, unchangedSince) {
      const ids = faxes.map(({ id }) => id);
      const rows = await findFaxes(db, ids);
      const context = {
        open: await parts.holds.open(db),
        revisions: await revisionsOf(db, ids),
        originals: await originalsOf(db, ids),
        unchangedSince,
      };
      return new Map(
        faxes.flatMap((fax) => {
          const row = rows.get(fax.id);
          return row === undefined ? [] : [[fax.id, reasonToStay(row, fax, context)] as const];
        }),
      );
    },
    remove: (tx, ids, archive) => remove(parts, tx, ids, archive),
    countReceived,
  };
}

interface StayingContext {
  readonly open: Awaited<ReturnType<InboundParts['holds']['open']>>;
  readonly revisions: ReadonlyMap<string, string>;
  readonly originals: Awaited<ReturnType<typeof originalsOf>>;
  readonly unchangedSince: string;
}

function reasonToStay(row: FaxRow, fax: ArchivedRevision, context: StayingContext): StayingReason | null {
  const { open, revisions, originals, unchangedSince } = context;
  if (holdsOn(open, heldFactsOf(row)).length > 0) return 'legal_hold';
  const original = originals.get(row.id);
  if (row.status === 'waiting' || (original !== undefined && original.awaited_until !== null))
    return 'unfinished';
  if (row.updated_at >= unchangedSince) return 'recent';
  // Its source still has something for it.
  if (row.status === 'received' && row.captured !== null) return 'unfinished';
  if (row.document !== null && fax.sha256 !== row.sha256) return 'document';
  if (typeof original?.document === 'string' && fax.originalSha256 === null) return 'document';
  return revisions.get(row.id) === fax.revision ? null : 'changed';
}

async function revisionsOf(db: ReadDb, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await findFaxes(db, ids);
  const entries = await evidenceCounts(db, ids);
  const originals = await originalsOf(db, ids);
  return new Map(
    [...rows.values()].map(({ id, version, document, turns }) => [
      id,
      sha256Hex(
        JSON.stringify([version, document, turns, entries.get(id) ?? 0, originals.get(id)?.document ?? null]),
      ),
    ]),
  );
}

async function remove(
  { db, clock, unreadIndex }: Parameters<typeof createReceivedArchiving>[0],
  tx: WriteTx,
  ids: readonly string[],
  archive: ArchiveOfFax,
): Promise<{ readonly count: number; readonly documents: readonly string[] }> {
  const rows = [...(await findFaxes(tx, ids)).values()];
  const originals = await originalsOf(tx, ids);
  await deleteFaxes(tx, rows, archive, isoTime(clock.now()));
  db.onCommit(tx, () => unreadIndex.forget(null));
  return {
    count: rows.length,
    documents: rows.flatMap(({ id, document }) => [document ?? [], originals.get(id)?.document ?? []].flat()),
  };
}
