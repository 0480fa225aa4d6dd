import { isoTime } from '../platform/clock.ts';
import { CommandFailure, EXIT } from './exit-codes.ts';

/** A time that was typed, as an ISO time in UTC. A day alone would be a time nobody meant: it is refused. */
export function parseTime(text: string): string {
  const at = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/u.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (Number.isNaN(at))
    throw new CommandFailure(
      `"${text}" is not a time such as 2026-11-22T08:00 or 2026-11-22T08:00+01:00.`,
      EXIT.badValues,
    );
  return isoTime(at);
}
