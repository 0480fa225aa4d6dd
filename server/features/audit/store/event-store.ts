import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { SecurityEventTable } from '../../../db/schema/audit.ts';
import { epochOf, isoTime } from '../../../platform/clock.ts';
import type { Seal } from '../../../platform/seal.ts';
import type { SecurityEntry } from '../types.ts';
import { digestOfRecord } from './chain-digest.ts';
import { appendLink, holdChain, type Link } from './chain-store.ts';

const HOUR_MS = 3_600_000;

/** An event that is about to be recorded: its place in the chain comes with the record. */
export type NewEntry = Omit<SecurityEntry, 'seq' | 'digest'>;

/** Adds a record to the chain. */
export async function insertSecurityEvent(tx: WriteTx, entry: NewEntry, seal: Seal | null): Promise<void> {
  await insert(tx, entry, null, seal);
}

async function insert(tx: WriteTx, entry: NewEntry, sameKey: string | null, seal: Seal | null) {
  await appendLink(tx, seal, async (link) => {
    const row = rowOf(entry, sameKey, link);
    await tx.insertInto('security_event').values(row).execute();
    return row.digest;
  });
}

/**
 * Adds each count to that of the record with the same key, from whichever gateway; else inserts it. The chain is held before
 * any record is touched, so that two gateways do not wait for each other.
 */
export async function countSecurityEvents(
  tx: WriteTx,
  entries: readonly (readonly [sameKey: string, entry: NewEntry])[],
  seal: Seal | null,
): Promise<void> {
  await holdChain(tx);
  for (const [sameKey, entry] of entries)
    if (!(await addCount(tx, entry, sameKey))) await insert(tx, entry, sameKey, seal);
}

/** Adds to the count of an existing record. False when there is none. */
async function addCount(tx: WriteTx, entry: NewEntry, sameKey: string): Promise<boolean> {
  const added = await tx
    .updateTable('security_event')
    .set((eb) => ({
      count: eb('count', '+', entry.count),
      last_at: eb.case().when('last_at', '<', entry.lastAt).then(entry.lastAt).else(eb.ref('last_at')).end(),
    }))
    .where('same_key', '=', sameKey)
    .executeTakeFirst();
  return added.numUpdatedRows > 0n;
}

function rowOf(entry: NewEntry, sameKey: string | null, link: Link): SecurityEventTable {
  const row = {
    ...link,
    id: entry.id,
    occurred_at: entry.occurredAt,
    last_at: entry.lastAt,
    count: entry.count,
    same_key: sameKey,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    credential_kind: entry.credentialKind,
    operation: entry.operation,
    target_kind: entry.target.kind,
    target_id: entry.target.id,
    outcome: entry.outcome,
    policy_version: entry.policyVersion,
    request_id: entry.requestId,
    details: JSON.stringify(entry.details),
    chained_count: 1,
  };
  return { ...row, digest: digestOfRecord(row) };
}

export interface SecurityEventFilter {
  actorId?: string | undefined;
  targetId?: string | undefined;
  /** Any of them. */
  operations?: readonly string[] | undefined;
  outcome?: SecurityEntry['outcome'] | undefined;
  /** Stored times: what happened at this one or later, if only for the last time, and before that one for the first. */
  since?: string | undefined;
  until?: string | undefined;
}

export interface SecurityEventQuery extends SecurityEventFilter {
  limit: number;
  cursor?: string | undefined;
}

/** A page of the security audit, newest first. Throws a 400 refusal on a wrong cursor. */
export async function listSecurityEvents(
  db: ReadDb | WriteTx,
  args: SecurityEventQuery,
): Promise<{ items: SecurityEntry[]; next_cursor: string | null }> {
  let query = db.selectFrom('security_event').selectAll();
  if (args.actorId !== undefined) query = query.where('actor_id', '=', args.actorId);
  if (args.targetId !== undefined) query = query.where('target_id', '=', args.targetId);
  const [operation, ...others] = args.operations ?? [];
  if (operation !== undefined)
    query =
      others.length === 0
        ? query.where('operation', '=', operation)
        : query.where('operation', 'in', [operation, ...others]);
  if (args.outcome !== undefined) query = query.where('outcome', '=', args.outcome);
  if (args.since !== undefined)
    query = query
      .where('last_at', '>=', args.since)
      // Counted records began at most an hour before; this bound lets the index find them.
      .where('occurred_at', '>=', isoTime(epochOf(args.since) - HOUR_MS));
  if (args.until !== undefined) query = query.where('occurred_at', '<', args.until);
  if (args.cursor !== undefined) {
    const [at = '', id = ''] = decodeCursor(args.cursor, 2);
    query = query.where((eb) => eb(eb.refTuple('occurred_at', 'id'), '<', eb.tuple(at, id)));
  }
  const rows = await query
    .orderBy('occurred_at', 'desc')
    .orderBy('id', 'desc')
    .limit(args.limit + 1)
    .execute();
  const page = cutPage(rows, args.limit, (row) => [row.occurred_at, row.id]);
  return { items: page.items.map(toEntry), next_cursor: page.next_cursor };
}

function toEntry(row: SecurityEventTable): SecurityEntry {
  return {
    id: row.id,
    occurredAt: row.occurred_at,
    lastAt: row.last_at,
    count: row.count,
    actor: { id: row.actor_id, name: row.actor_name },
    credentialKind: row.credential_kind,
    operation: row.operation,
    target: { kind: row.target_kind, id: row.target_id },
    outcome: row.outcome,
    policyVersion: row.policy_version,
    requestId: row.request_id,
    details: JSON.parse(row.details) as Record<string, unknown>,
    seq: row.seq,
    digest: row.digest,
  };
}
