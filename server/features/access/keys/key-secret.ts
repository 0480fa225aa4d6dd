import { type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const MAX_COST = { cost: 131_072, blockSize: 16, parallelism: 4 };
/** scrypt needs 128 × cost × block size bytes; twice that is room enough for every allowed setting. */
const MEMORY_FACTOR = 256;

/** Returns true when a secret matches its fast hash. 256 random bits need no slow one. */
export function fitsSha256(secret: string, storedHash: string): boolean {
  return equalInConstantTime(sha256Hex(secret), storedHash);
}

/**
 * Returns true when a secret matches a hash of an earlier release, `scrypt$<N>$<r>$<p>$<salt>$<hash>` (salt and hash
 * base64). Slow on purpose and off the event loop. An unreadable hash matches nothing.
 */
export async function fitsScrypt(secret: string, storedHash: string): Promise<boolean> {
  const [kind, n, r, p, salt, hash] = storedHash.split('$');
  const [cost, blockSize, parallelism] = [Number(n), Number(r), Number(p)];
  const expected = Buffer.from(hash ?? '', 'base64');
  if (kind !== 'scrypt' || salt === undefined || expected.length < 16) return false;
  if (!isWithin(cost, MAX_COST.cost) || !isWithin(blockSize, MAX_COST.blockSize)) return false;
  if (!isWithin(parallelism, MAX_COST.parallelism)) return false;
  const options = { cost, blockSize, parallelization: parallelism, maxmem: MEMORY_FACTOR * cost * blockSize };
  const actual = await derive(secret, Buffer.from(salt, 'base64'), expected.length, options).catch(
    () => null,
  );
  return actual !== null && timingSafeEqual(actual, expected);
}

function isWithin(value: number, largest: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= largest;
}
