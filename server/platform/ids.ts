import { createHash, randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';
import { systemClock } from './clock.ts';

const ID_BYTES = 16;
/** Number of ids that share one fetch of random bytes, which costs more than the rest of an id. */
const POOLED_IDS = 128;
const pool = new Uint8Array(POOLED_IDS * ID_BYTES);
let poolAt = pool.length;
/** Time of the newest id in epoch ms, and its number among those of that time. */
const newest = { ms: Number.NEGATIVE_INFINITY, sequence: 0 };

/** Creates a time-ordered id (UUIDv7, 36 characters). Ids of this process ascend, even when the clock is set back. */
export function newId(): string {
  const random = nextRandom();
  const now = systemClock.now();
  if (now > newest.ms) {
    newest.ms = now;
    // Half of the numbers are left for those that follow in the same millisecond.
    newest.sequence = new DataView(random.buffer, random.byteOffset).getUint32(0) >>> 1;
  } else {
    newest.sequence = (newest.sequence + 1) >>> 0;
    if (newest.sequence === 0) newest.ms += 1;
  }
  return v7({ random, msecs: newest.ms, seq: newest.sequence });
}

function nextRandom(): Uint8Array {
  if (poolAt === pool.length) {
    randomFillSync(pool);
    poolAt = 0;
  }
  poolAt += ID_BYTES;
  return pool.subarray(poolAt - ID_BYTES, poolAt);
}

/** Latest time that fits into an id. */
const MAX_MS = 2 ** 48 - 1;

/**
 * Returns the id of what `name` stands for at a time in epoch ms: time-ordered like `newId`, and the same at each call, so
 * that work which is repeated after an interruption makes the same records.
 */
export function derivedId(ms: number, name: string): string {
  const random = createHash('sha256').update(name).digest();
  const msecs = Math.min(Math.max(0, ms), MAX_MS);
  return v7({ msecs, seq: random.readUInt32BE(ID_BYTES), random: random.subarray(0, ID_BYTES) });
}

/** Returns a text that sorts before the ids of the last `ms` milliseconds and after older ones, by the clock of this computer. */
export function pastId(ms: number): string {
  return v7({ msecs: systemClock.now() - ms, seq: 0, random: new Uint8Array(16) });
}

/** Returns `bits` random bits as base64url text without padding. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}
