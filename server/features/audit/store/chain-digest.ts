import type { SecurityCountTable, SecurityEventTable } from '../../../db/schema/audit.ts';
import { chainDigest } from '../../../platform/chain-digest.ts';

type RecordedEntry = Omit<SecurityEventTable, 'count' | 'last_at' | 'digest' | 'chained_count'>;

/**
 * Lowercase hex SHA-256 of a record as it was first written, with its place and the digest before it, as one JSON list: the
 * same columns in the same order, `details` as the text that is stored.
 */
export function digestOfRecord(row: RecordedEntry): string {
  return chainDigest([
    'record',
    row.seq,
    row.previous,
    row.id,
    row.occurred_at,
    row.same_key,
    row.actor_id,
    row.actor_name,
    row.credential_kind,
    row.operation,
    row.target_kind,
    row.target_id,
    row.outcome,
    row.policy_version,
    row.request_id,
    row.details,
  ]);
}

/** The same of a count that was fixed. */
export function digestOfCount(row: Omit<SecurityCountTable, 'digest'>): string {
  return chainDigest(['count', row.seq, row.previous, row.event_id, row.count, row.last_at]);
}
