import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { StoredRow } from './snapshot.ts';

/** Rows of a table, counted, with a digest over all of them that is the same in either database. */
export interface TableDigest {
  readonly rows: number;
  /** 64 hexadecimal digits. */
  readonly digest: string;
}

const MODULUS = 1n << 256n;
/** Rows between two turns of the event loop, which reading SQLite does not leave to others. */
const TURN = 1_000;

/**
 * Counts the rows and adds up the SHA-256 of each in its canonical form, modulo 2^256. The order of the rows does not matter:
 * the databases sort texts in different ways. `onRows` is called with the rows since its last call.
 */
export async function digestRows(
  rows: AsyncIterable<StoredRow>,
  onRows: (count: number) => void = () => undefined,
): Promise<TableDigest> {
  let count = 0;
  let sum = 0n;
  for await (const row of rows) {
    count += 1;
    sum += BigInt(`0x${hash('sha256', canonicalRow(row), 'hex')}`);
    if (count % TURN !== 0) continue;
    onRows(TURN);
    await setImmediate();
  }
  onRows(count % TURN);
  return { rows: count, digest: (sum % MODULUS).toString(16).padStart(64, '0') };
}

/** Returns a row in the form that is the same in either database: JSON with the columns by their names. */
function canonicalRow(row: StoredRow): string {
  const columns = Object.keys(row).sort((a, b) => (a < b ? -1 : 1));
  return JSON.stringify(columns.map((name) => [name, canonicalValue(row[name])]));
}

/**
 * Returns a value as both databases have it: a truth value as 0 or 1, a time as ISO 8601 UTC, bytes as hexadecimal digits, an
 * object of JSON with sorted members, a whole number without a fraction, and a text without the character NUL, which PostgreSQL cannot store.
 */
export function canonicalValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      return value.includes('\0') ? value.replaceAll('\0', '') : value;
    case 'boolean':
      return value ? 1 : 0;
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : { integer: String(value) };
    case 'object':
      return canonicalObject(value);
    default:
      return value;
  }
}

function canonicalObject(value: object | null): unknown {
  if (value === null) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') };
  if (Array.isArray(value)) return value.map(canonicalValue);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, canonicalValue(member)]));
}
