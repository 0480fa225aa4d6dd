import { createHash } from 'node:crypto';
import type { SecurityCountTable, SecurityEventTable } from '../../../db/schema/audit.ts';

/** What stands before the first record. */
export const BEGINNING = '0'.repeat(64);

type Recorded = Omit<SecurityEventTable, 'count' | 'last_at' | 'digest' | 'chained_count'>;

/**
 * Lowercase hex SHA-256 of a record as it was first written, with its place and the digest before it, as one JSON list: the
 * same columns in the same order, `details` as the text that is stored.
 */
export function digestOfRecord(row: Recorded): string {
  return digestOf([
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
  return digestOf(['count', row.seq, row.previous, row.event_id, row.count, row.last_at]);
}

function digestOf(values: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
