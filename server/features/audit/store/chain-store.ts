import { z } from 'zod';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { SecurityCountTable, SecurityEventTable } from '../../../db/schema/audit.ts';
import type { Seal } from '../../../platform/seal.ts';
import { digestOfCount } from './chain-digest.ts';

const CONTEXT = 'security_chain';
const SealedEnd = z.tuple([z.number().int(), z.string()]);

/** Position in the chain: its number, from 1, and the digest of the one before it. */
export interface Link {
  readonly seq: number;
  readonly previous: string;
}

/** The last place that is taken. */
export interface ChainEnd {
  readonly seq: number;
  readonly digest: string;
}

/**
 * Adds one link, whose digest `write` returns. Locks the chain against other processes until the transaction ends. It
 * follows the sealed end where that is later than the other, so that a removed end stays a gap. Without a seal the
 * sealed end is unchanged, as is one that does not open.
 */
export async function appendLink(
  tx: WriteTx,
  seal: Seal | null,
  write: (link: Link) => Promise<string>,
): Promise<void> {
  const end = await lockEnd(tx);
  const sealed = seal && openEnd(seal, end.sealed);
  const last = sealed && sealed.seq >= end.seq ? sealed : end;
  const seq = last.seq + 1;
  const digest = await write({ seq, previous: last.digest });
  const isOurs = seal !== null && (sealed !== null || (end.sealed === null && end.seq === 0));
  const newEnd = isOurs ? { sealed: seal.seal(JSON.stringify([seq, digest]), CONTEXT) } : {};
  await tx
    .updateTable('security_chain')
    .set({ seq, digest, ...newEnd })
    .execute();
}

/** The end of the chain, which is ours until the transaction ends. */
function lockEnd(tx: WriteTx): Promise<ChainEnd & { sealed: string | null }> {
  return tx
    .updateTable('security_chain')
    .set((eb) => ({ seq: eb.ref('seq') }))
    .returning(['seq', 'digest', 'sealed'])
    .executeTakeFirstOrThrow();
}

/** Null where it was not sealed, or does not open. */
function openEnd(seal: Seal, sealed: string | null): ChainEnd | null {
  try {
    if (sealed === null) return null;
    const [seq, digest] = SealedEnd.parse(JSON.parse(seal.open(sealed, CONTEXT)));
    return { seq, digest };
  } catch {
    return null;
  }
}

/**
 * Seals the end of the chain where nothing was recorded yet, and where the command line added to it without the data key. An
 * end that does not open, or that is gone, stays as it is and shows.
 */
export async function sealChainEnd(tx: WriteTx, seal: Seal): Promise<void> {
  const end = await lockEnd(tx);
  if (!mayBeSealed(end, openEnd(seal, end.sealed))) return;
  await tx
    .updateTable('security_chain')
    .set({ sealed: seal.seal(JSON.stringify([end.seq, end.digest]), CONTEXT) })
    .execute();
}

/** A gateway seals the end before it records anything, so that an end without a seal has lost it. */
function mayBeSealed(end: ChainEnd & { sealed: string | null }, sealed: ChainEnd | null): boolean {
  return sealed === null ? end.sealed === null && end.seq === 0 : end.seq > sealed.seq;
}

/** Locks the chain until the transaction ends. */
export async function holdChain(tx: WriteTx): Promise<void> {
  await lockEnd(tx);
}

/** The end of the chain, and the sealed one: null where it is gone or does not open. */
export async function readChainEnd(
  db: ReadDb,
  seal: Seal | null,
): Promise<ChainEnd & { readonly sealed: ChainEnd | null }> {
  const { seq, digest, sealed } = await db
    .selectFrom('security_chain')
    .select(['seq', 'digest', 'sealed'])
    .executeTakeFirstOrThrow();
  return { seq, digest, sealed: seal && openEnd(seal, sealed) };
}

/** Returns true when counts of records from before a time grew since they were fixed. */
export async function hasUnchained(db: ReadDb, before: string): Promise<boolean> {
  const grown = await db
    .selectFrom('security_event')
    .select('id')
    .whereRef('count', '>', 'chained_count')
    .where('occurred_at', '<', before)
    .limit(1)
    .executeTakeFirst();
  return grown !== undefined;
}

/**
 * Fixes the counts of records from before a time that grew since they were fixed, at most `limit` of them.
 */
export async function chainCounts(
  tx: WriteTx,
  seal: Seal | null,
  { before, limit }: { before: string; limit: number },
): Promise<void> {
  // Another gateway must not fix the same ones.
  await holdChain(tx);
  const grown = await tx
    .selectFrom('security_event')
    .select(['id', 'count', 'last_at'])
    .whereRef('count', '>', 'chained_count')
    .where('occurred_at', '<', before)
    .orderBy('occurred_at')
    .limit(limit)
    .execute();
  for (const { id, count, last_at } of grown) {
    await appendLink(tx, seal, async (link) => {
      const row = { ...link, event_id: id, count, last_at };
      const digest = digestOfCount(row);
      await tx
        .insertInto('security_count')
        .values({ ...row, digest })
        .execute();
      return digest;
    });
    await tx.updateTable('security_event').set({ chained_count: count }).where('id', '=', id).execute();
  }
}

/** A record with its newest fixed count, null where that was never fixed. */
export type RecordLink = SecurityEventTable & { fixed_count: number | null; fixed_last_at: string | null };

/** Records by their place in the chain, after `seq` up to `last`. */
export async function recordsAfter(
  db: ReadDb,
  { seq, last, limit }: { seq: number; last: number; limit: number },
): Promise<RecordLink[]> {
  return db
    .selectFrom('security_event as e')
    .selectAll('e')
    .select((eb) => {
      const newest = eb
        .selectFrom('security_count as c')
        .whereRef('c.event_id', '=', 'e.id')
        .orderBy('c.seq', 'desc')
        .limit(1);
      return [newest.select('c.count').as('fixed_count'), newest.select('c.last_at').as('fixed_last_at')];
    })
    .where('e.seq', '>', seq)
    .where('e.seq', '<=', last)
    .orderBy('e.seq')
    .limit(limit)
    .execute();
}

/** Fixed counts by their place in the chain, after `seq` up to `last`. */
export async function countsAfter(
  db: ReadDb,
  { seq, last, limit }: { seq: number; last: number; limit: number },
): Promise<SecurityCountTable[]> {
  return db
    .selectFrom('security_count')
    .selectAll()
    .where('seq', '>', seq)
    .where('seq', '<=', last)
    .orderBy('seq')
    .limit(limit)
    .execute();
}
