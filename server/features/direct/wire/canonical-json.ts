import { WireError } from './wire-error.ts';

/** Nothing on the wire is nested deeper. */
const MAX_DEPTH = 8;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Serializes a value as canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, strings and
 * numbers as ECMAScript writes them. Throws WireError (`malformed`) for what has no such form: lone surrogates, numbers
 * that are not finite, anything but plain objects, lists, strings, numbers, booleans and null, and deeper nesting than
 * the wire has.
 */
export function canonicalJson(value: unknown): string {
  return serialize(value, 0);
}

function serialize(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw malformed('is nested too deeply');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return serializeNumber(value);
  if (typeof value === 'string') return serializeString(value);
  if (Array.isArray(value)) return `[${value.map((entry) => serialize(entry, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && isPlain(value)) return serializeObject(value, depth);
  throw malformed('has a value that is not JSON');
}

function serializeNumber(value: number): string {
  if (!Number.isFinite(value)) throw malformed('has a number that is not finite');
  return JSON.stringify(value);
}

function serializeString(text: string): string {
  if (!text.isWellFormed()) throw malformed('has a text that is not Unicode');
  return JSON.stringify(text);
}

/** The default order of `sort` is that of UTF-16 code units, as RFC 8785 has it. */
function serializeObject(value: object, depth: number): string {
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const texts = members.map(([name, member]) => `${serializeString(name)}:${serialize(member, depth + 1)}`);
  return `{${texts.join(',')}}`;
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/**
 * Parses bytes that have to be canonical JSON of at most `maxBytes`: so nobody can read another value than the one that
 * was signed. Throws WireError (`oversized`, `malformed`).
 */
export function parseCanonical(bytes: Uint8Array, maxBytes: number): unknown {
  const value = parseJson(bytes, maxBytes);
  if (canonicalJson(value.parsed) !== value.text) throw malformed('is not canonical JSON');
  return value.parsed;
}

/** Parses JSON of at most `maxBytes`. Throws WireError (`oversized`, `malformed`). */
export function parseJson(bytes: Uint8Array, maxBytes: number): { text: string; parsed: unknown } {
  if (bytes.length > maxBytes) throw new WireError('oversized', `It is longer than ${maxBytes} bytes.`);
  try {
    const text = utf8.decode(bytes);
    return { text, parsed: JSON.parse(text) as unknown };
  } catch {
    throw malformed('is not JSON');
  }
}

const malformed = (what: string) => new WireError('malformed', `It ${what}.`);
