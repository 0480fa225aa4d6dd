import { spanOfDay } from './local-days.ts';
import type { Locality } from './local-time.ts';

const ISO = /^(?<year>\d{4})-(?<month>\d{1,2})-(?<day>\d{1,2})$/u;
const WITH_DOTS = /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/u;
const MONTH_FIRST = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/u;
const DAY_FIRST = /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/u;
/** Countries that write 11/23/2026 for November 23. */
const WITH_MONTH_FIRST = ['US', 'PH', 'CA'];

/**
 * Returns the span of a day that was typed into a search, ISO 8601 UTC: `2026-11-23`, `23.11.2026`, and with slashes as
 * the country writes it. Null for anything else.
 */
export function searchedDay(
  typed: string,
  { country, timeZone }: Locality,
): { since: string; until: string } | null {
  const text = typed.trim();
  const slashed = WITH_MONTH_FIRST.includes(country) ? MONTH_FIRST : DAY_FIRST;
  const groups = [ISO, WITH_DOTS, slashed]
    .map((form) => form.exec(text)?.groups)
    .find((it) => it !== undefined);
  if (!groups) return null;
  const { year = '', month = '', day = '' } = groups;
  const iso = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const at = Date.parse(iso);
  // February 30 would become a day of March.
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== iso) return null;
  return spanOfDay(iso, timeZone);
}
