import type { DateSpan } from '../../ui/date-filter.tsx';
import { onlySet } from './list-filter.ts';

const DAY = /^\d{4}-\d{2}-\d{2}$/u;

/** The days of an address; what is none is left open. */
export function daysOf({ since = '', until = '' }: Partial<DateSpan>): DateSpan {
  return { since: dayOf(since), until: dayOf(until) };
}

/** The same for the gateway, as times. Days are those of this computer, both counted in. */
export function timesOf({ since, until }: DateSpan): { readonly since?: string; readonly until?: string } {
  return onlySet({ since: since && startOf(since, 0), until: until && startOf(until, 1) });
}

const dayOf = (text: string) => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

function startOf(day: string, plusDays: number): string {
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + plusDays);
  return time.toISOString();
}
