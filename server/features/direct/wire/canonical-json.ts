import { NotCanonicalError, canonicalJson as serialize } from '../../../platform/canonical-json.ts';
import { WireError } from './wire-error.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Serializes a value as canonical JSON (RFC 8785). Throws WireError (`malformed`) for what has no such form. */
export function canonicalJson(value: unknown): string {
  try {
    return serialize(value);
  } catch (error) {
    if (error instanceof NotCanonicalError) throw malformed(error.message);
    throw error;
  }
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
