import { z } from 'zod';
import { AllowedHours } from './api/contacts-fields.ts';
import { LIMITS } from './limits.ts';

type Hours = z.infer<typeof AllowedHours>;

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const NAMES = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'] as const;
/** Characters of a text with as many spans as a contact can have. */
const MAX_LENGTH = 60 * LIMITS.contactHours;
const Spans = z.array(AllowedHours).min(1).max(LIMITS.contactHours);

/** Returns spans of hours as a person writes them: `Mon-Fri 08:00-18:00; Sat 09:00-12:00`. */
export function formatHours(spans: readonly Hours[]): string {
  return spans.map(({ days, from, to }) => `${formatDays(days)} ${from}-${to}`).join('; ');
}

/** Reads spans of hours; null for a text that is none. */
export function readHours(text: string): Hours[] | null {
  if (text.length > MAX_LENGTH) return null;
  const spans = text
    .split(';')
    .map((span) => span.trim())
    .filter((span) => span !== '')
    .map(spanOf);
  const read = Spans.safeParse(spans);
  return read.success ? read.data : null;
}

function formatDays(given: readonly number[]): string {
  const days = [...new Set(given)].toSorted((a, b) => a - b);
  const parts: string[] = [];
  for (let at = 0; at < days.length; ) {
    let last = at;
    while (days[last + 1] === (days[last] ?? 0) + 1) last += 1;
    const [from, to] = [days[at], days[last]].map((day) => NAMES[(day ?? 1) - 1] ?? '');
    parts.push(last === at ? `${from}` : `${from}${last === at + 1 ? ',' : '-'}${to}`);
    at = last + 1;
  }
  return parts.join(',');
}

function spanOf(text: string): unknown {
  const [, days = '', from = '', to = ''] =
    /^([A-Za-z, -]{3,60}?) ?(\d\d?:\d\d) ?[-\u2013] ?(\d\d?:\d\d)$/u.exec(text) ?? [];
  return { days: daysOf(days), from: from.padStart(5, '0'), to: to.padStart(5, '0') };
}

function daysOf(text: string): number[] {
  const days = text.split(',').flatMap((part) => {
    const [from = 0, to = from, ...rest] = part.split('-').map(dayOf);
    if (from === 0 || to < from || rest.length > 0) return [0];
    return Array.from({ length: to - from + 1 }, (_, at) => from + at);
  });
  return [...new Set(days)].toSorted((a, b) => a - b);
}

/** Number of the day, 1 for Monday; 0 for no day. */
const dayOf = (word: string) => DAYS.findIndex((day) => word.trim().toLowerCase().startsWith(day)) + 1;
