import type { IncomingHttpHeaders } from 'node:http';

/**
 * Returns the wait in ms that `Retry-After` asks for, in either form: seconds, or a date, which is measured by the `Date` of the same
 * answer, or by `now` (epoch ms) where it has none. Null without a usable one.
 */
export function retryAfterOf(headers: IncomingHttpHeaders, now?: number): number | null {
  const text = headers['retry-after']?.trim() ?? '';
  if (/^\d+$/u.test(text)) return positive(Number(text) * 1000);
  const sentAt = Date.parse(headers.date ?? '');
  return positive(Date.parse(text) - (Number.isFinite(sentAt) ? sentAt : (now ?? Number.NaN)));
}

const positive = (ms: number): number | null => (Number.isFinite(ms) && ms > 0 ? ms : null);
