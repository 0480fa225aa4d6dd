import { LIMITS } from '../../shared/limits.ts';
import { RefusalError } from '../platform/errors.ts';

/** Validates the header `Idempotency-Key`: visible ASCII characters, at most once. Throws a 400 refusal. */
export function checkKey(header: string | undefined): string | null {
  if (header === undefined) return null;
  if (header.length > LIMITS.idempotencyKeyLength || !/^[\x21-\x7e]+$/u.test(header))
    throw new RefusalError('invalid_idempotency_key');
  return header;
}

/** Headers of an answer that an earlier request got as well. */
export const REPLAYED = { 'Idempotency-Replayed': 'true' } as const;
