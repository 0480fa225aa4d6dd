import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A new time-ordered id (UUIDv7, 36 characters). */
export function newId(): string {
  return v7();
}

/** `bits` random bits as base64url text without padding. */
export function randomToken(bits: number): string {
  return randomBytes(Math.ceil(bits / 8)).toString('base64url');
}
