import { z } from 'zod';
import { isoTime } from '../../platform/clock.ts';

/** The vendors' JSON differs between their versions (numbers or text, null or absent), so reading is lenient in form. */
export const wireText = z.union([z.string(), z.number(), z.boolean()]).transform(String).nullish();

/** A number, or text that holds one; empty text is the vendors' null. */
export const wireAmount = z
  .union([z.number(), z.string()])
  .transform((value) => (value === '' ? null : Number(value)))
  .refine((value) => value === null || Number.isFinite(value))
  .nullish();

/** An amount of money as its text, so that it never becomes a floating-point number. */
export const wireDecimal = z.union([z.number(), z.string()]).transform(String).nullish();

/** RFC 3339 text; the oldest callbacks hold epoch seconds. */
export const wireMoment = z.union([z.string(), z.number()]).nullish();

/** Returns null for 0, which the vendors report for values that are not yet available. */
export function positive(value: number | null | undefined): number | null {
  return value !== null && value !== undefined && value > 0 ? Math.round(value) : null;
}

/** RFC 3339 with any offset, or epoch seconds, as UTC. A time without a zone is not guessed at. */
export function utcTime(value: string | number | null | undefined): string | null {
  if (value === null || value === undefined || value === '') return null;
  const seconds = typeof value === 'number' || /^\d{9,11}$/u.test(value) ? Number(value) : null;
  if (seconds === null && !/(?:z|[+-]\d\d:?\d\d)$/iu.test(String(value))) return null;
  const epochMs = seconds === null ? Date.parse(String(value)) : seconds * 1000;
  return Number.isFinite(epochMs) && Math.abs(epochMs) < 8.64e15 ? isoTime(epochMs) : null;
}

/** A number as the vendors write it, or null when it is no E.164: a missing country code is not guessed at. */
export function e164Of(value: string | null | undefined): string | null {
  const number = (value ?? '').replaceAll(/[\s().-]/gu, '');
  return /^\+[1-9]\d{5,14}$/u.test(number) ? number : null;
}

/** JSON text as a value, or null when it is none. */
export function parsedJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return null;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
