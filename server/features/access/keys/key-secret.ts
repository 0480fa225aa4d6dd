import { pbkdf2, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { equalInConstantTime, sha256Hex } from '../../../platform/hash.ts';
import type { EarlierHashKind } from '../types.ts';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const deriveByRounds = promisify<string, Buffer, number, number, string, Buffer>(pbkdf2);
const MAX_COST = { cost: 131_072, blockSize: 16, parallelism: 4 };
const MAX_ROUNDS = 2_000_000;
/** Shortest salt and hash, in bytes, that count as a hash. */
const MIN_BYTES = 16;
/** scrypt needs 128 × cost × block size bytes; twice that is room enough for every allowed setting. */
const MEMORY_FACTOR = 256;

/** Returns true when a secret matches its fast hash. 256 random bits need no slow one. */
export function fitsSha256(secret: string, storedHash: string): boolean {
  return equalInConstantTime(sha256Hex(secret), storedHash);
}

/** Slow hash of a secret, taken apart. */
type SlowHash = {
  readonly salt: Buffer;
  readonly expected: Buffer;
} & (
  | {
      readonly kind: 'scrypt';
      readonly cost: number;
      readonly blockSize: number;
      readonly parallelism: number;
    }
  | { readonly kind: 'pbkdf2'; readonly rounds: number }
);

/**
 * Parses a hash of an earlier release, with salt and hash in base64 of either alphabet: `scrypt$<salt>$<hash>$n=…$r=…$p=…`,
 * `scrypt$<N>$<r>$<p>$<salt>$<hash>` or `pbkdf2$<salt>$<hash>$rounds=…`. Null for an unreadable one, and for one that would
 * take more time or memory than any release used.
 */
function parseSlowHash(stored: string): SlowHash | null {
  const [kind, ...parts] = stored.split('$');
  const named = new Map(parts.flatMap((part) => readNamed(part)));
  const plain = parts.filter((part) => readNamed(part).length === 0);
  const [salt, expected] = plain.slice(-2).map((text) => Buffer.from(text, 'base64'));
  if (salt === undefined || expected === undefined || expected.length < MIN_BYTES) return null;
  if (kind === 'pbkdf2') {
    const rounds = named.get('rounds') ?? Number.NaN;
    return isWithin(rounds, MAX_ROUNDS) ? { kind, salt, expected, rounds } : null;
  }
  if (kind !== 'scrypt') return null;
  const [cost, blockSize, parallelism] = ['n', 'r', 'p'].map(
    (name, at) => named.get(name) ?? Number(plain.length === 5 ? plain[at] : Number.NaN),
  ) as [number, number, number];
  if (!isWithin(cost, MAX_COST.cost) || !isWithin(blockSize, MAX_COST.blockSize)) return null;
  return isWithin(parallelism, MAX_COST.parallelism)
    ? { kind, salt, expected, cost, blockSize, parallelism }
    : null;
}

/** The pair of `name=number`; none for a text of another form. */
function readNamed(part: string): [string, number][] {
  const [, name, number] = /^(n|r|p|rounds)=(\d{1,9})$/u.exec(part) ?? [];
  return name === undefined ? [] : [[name, Number(number)]];
}

/** Returns the hash function of a stored hash of an earlier release; null when it cannot be used. */
export function slowHashKind(stored: string): EarlierHashKind | null {
  return parseSlowHash(stored)?.kind ?? null;
}

/**
 * Returns true when a secret matches a hash of an earlier release. Slow on purpose and off the event loop. An unreadable
 * hash matches nothing.
 */
export async function fitsSlowHash(secret: string, storedHash: string): Promise<boolean> {
  const hash = parseSlowHash(storedHash);
  if (hash === null) return false;
  const actual = await deriveSlowly(secret, hash).catch(() => null);
  return actual !== null && timingSafeEqual(actual, hash.expected);
}

function deriveSlowly(secret: string, hash: SlowHash): Promise<Buffer> {
  const { salt, expected } = hash;
  if (hash.kind === 'pbkdf2') return deriveByRounds(secret, salt, hash.rounds, expected.length, 'sha256');
  const { cost, blockSize, parallelism } = hash;
  const options = { cost, blockSize, parallelization: parallelism, maxmem: MEMORY_FACTOR * cost * blockSize };
  return derive(secret, salt, expected.length, options);
}

function isWithin(value: number, largest: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= largest;
}
