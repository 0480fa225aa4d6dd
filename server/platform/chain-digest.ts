import { createHash } from 'node:crypto';

/** Digest before the first entry of a chain in the store. */
export const CHAIN_BEGINNING = '0'.repeat(64);

/** Lowercase hex SHA-256 of the values as one JSON list: the same values in the same order give the same digest. */
export function chainDigest(values: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(values)).digest('hex');
}
