/** Nothing is nested deeper. */
const MAX_DEPTH = 8;

/** Thrown for a value that has no canonical form. The message is the rest of a sentence that begins with "It". */
export class NotCanonicalError extends Error {
  override name = 'NotCanonicalError';
}

/**
 * Serializes a value as canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space, strings and
 * numbers as ECMAScript writes them. Throws NotCanonicalError for what has no such form: lone surrogates, numbers that are
 * not finite, anything but plain objects, lists, strings, numbers, booleans and null, and nesting deeper than eight levels.
 */
export function canonicalJson(value: unknown): string {
  return serialize(value, 0);
}

function serialize(value: unknown, depth: number): string {
  if (depth > MAX_DEPTH) throw new NotCanonicalError('is nested too deeply');
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return serializeNumber(value);
  if (typeof value === 'string') return serializeString(value);
  if (Array.isArray(value)) return `[${value.map((entry) => serialize(entry, depth + 1)).join(',')}]`;
  if (typeof value === 'object' && isPlain(value)) return serializeObject(value, depth);
  throw new NotCanonicalError('has a value that is not JSON');
}

function serializeNumber(value: number): string {
  if (!Number.isFinite(value)) throw new NotCanonicalError('has a number that is not finite');
  return JSON.stringify(value);
}

function serializeString(text: string): string {
  if (!text.isWellFormed()) throw new NotCanonicalError('has a text that is not Unicode');
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
