import { randomInt } from 'node:crypto';
import { sha256Hex } from '../../../platform/hash.ts';

/** Letters and digits, without those that resemble each other. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const CODES = 10;
const GROUPS = 6;
const GROUP_LENGTH = 4;

/** Ten codes to print and keep, such as `k7mp-2xwn-r4ta-hj9c-w3de-8vfq`: 118 random bits each, so that a fast hash is enough. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => Array.from({ length: GROUPS }, group).join('-'));
}

function group(): string {
  return Array.from({ length: GROUP_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}

/** Returns the stored hash of a code; it is the same with or without hyphens. */
export function recoveryCodeHash(principalId: string, code: string): string {
  return sha256Hex(`${principalId} ${code.toLowerCase().replaceAll(/[\s-]/gu, '')}`);
}

/** The same of all of them. */
export function hashesOf(principalId: string, codes: readonly string[]): string[] {
  return codes.map((code) => recoveryCodeHash(principalId, code));
}
