import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { systemClock } from './clock.ts';

/** A new time-ordered id (UUIDv7, 36 characters). */
export function newId(): string {
  return v7();
}

/** A text between the ids that were made before and within the last `ms` milliseconds, by the clock of this computer. */
export function pastId(ms: number): string {
  return v7({ msecs: systemClock.now() - ms, seq: 0, random: new Uint8Array(16) });
}

/** `bits` random bits as base64url text without padding. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}
