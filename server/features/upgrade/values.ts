import { sha256Hex } from '../../platform/hash.ts';
import { toE164 } from '../../platform/phone-number.ts';

// Values of an earlier release come from a database that anything may have written. None of these functions throws.

/** Returns a text on one line, cut to a number of characters; null for an empty one. */
export function readText(value: string | null | undefined, max: number): string | null {
  if (value === null || value === undefined) return null;
  const line = value
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u{202A}-\u{202E}\u{2066}-\u{2069}]+/gu, ' ')
    .trim();
  const start = line.slice(0, 2 * max);
  const cut = [...start].slice(0, max).join('').trim();
  return cut === '' ? null : cut;
}

const TIME =
  /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?$/u;

/** Returns a time in the stored form: UTC where it names no zone. Null for anything else. */
export function readTime(value: string | null | undefined): string | null {
  const [, day, minute, second = '00', fraction = '', zone = 'Z'] = TIME.exec(value?.trim() ?? '') ?? [];
  if (day === undefined) return null;
  const offset = /^[+-]\d{2}$/u.test(zone) ? `${zone}:00` : zone.replace(/^([+-]\d{2})(\d{2})$/u, '$1:$2');
  const at = Date.parse(`${day}T${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(at) || at < 0 ? null : new Date(at).toISOString();
}

/** Largest count of pages that is believed. */
const MAX_COUNT = 100_000;

export function readCount(value: string | null | undefined): number | null {
  const text = value?.trim() ?? '';
  const count = /^\d{1,6}$/u.test(text) ? Number(text) : Number.NaN;
  return count <= MAX_COUNT ? count : null;
}

export function readSha256(value: string | null | undefined): string | null {
  const text = value?.trim().toLowerCase() ?? '';
  return /^[0-9a-f]{64}$/u.test(text) ? text : null;
}

/** Returns an id that can be used here: its own, or one that follows from it. */
export function readId(value: string | null | undefined, kind: string): { id: string; isOwn: boolean } {
  const text = value ?? '';
  if (/^[A-Za-z0-9_-]{1,40}$/u.test(text)) return { id: text, isOwn: true };
  return { id: sha256Hex(`${kind} ${text}`).slice(0, 32), isOwn: false };
}

/** Words with which that release said that nobody reported a number. */
const NO_NUMBER = new Set(['', 'unknown', 'anonymous', 'private', 'none', 'null']);

/** Returns the number in E.164 form; `odd` for a text that is none, and null where none was reported. */
export function readNumber(
  value: string | null | undefined,
  country: string,
): { number: string } | 'odd' | null {
  const text = value?.trim() ?? '';
  if (NO_NUMBER.has(text.toLowerCase())) return null;
  const number = toE164(text, country);
  return number === null ? 'odd' : { number };
}

const BACKENDS: Readonly<Record<string, string>> = {
  phaxio: 'cloudone',
  sinch: 'cloudtwo',
  asterisk: 'sip',
};

/** Returns the present name of a backend. One of a plugin keeps its own. */
export function readBackend(value: string | null | undefined): string {
  const text = value?.trim().toLowerCase() ?? '';
  if (!/^[a-z0-9_-]{1,40}$/u.test(text)) return 'unknown';
  return BACKENDS[text] ?? text;
}

/** A value for a sentence: short, on one line. */
export const shown = (value: string | null | undefined): string => `“${readText(value, 60) ?? ''}”`;
