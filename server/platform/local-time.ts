import { dateFormat } from '../../shared/date-format.ts';

/** Locality of an installation: its country decides how dates and times are written, and its zone the time. */
export interface Locality {
  /** ISO 3166, e.g. `US`. */
  readonly country: string;
  /** IANA; null for that of this computer. */
  readonly timeZone: string | null;
}

/** English as the country writes dates and the clock: `Nov 22, 2026, 6:30 PM` in the US, `22 Nov 2026, 18:30` in Norway. */
function format(at: number | Date, locality: Locality, options: Intl.DateTimeFormatOptions): string {
  const { country, timeZone } = locality;
  return dateFormat(`en-${country}`, { ...options, timeZone: timeZone ?? undefined }).format(at);
}

/** `6:30 PM`, or `18:30` */
export function localTime(at: number, locality: Locality): string {
  return format(at, locality, { timeStyle: 'short' });
}

/** `November 22`, or `22 November` */
export function localDay(at: number, locality: Locality): string {
  return format(at, locality, { day: 'numeric', month: 'long' });
}

/** `Nov 22, 2026`, or `22 Nov 2026` */
export function localDate(at: number, locality: Locality): string {
  return format(at, locality, { dateStyle: 'medium' });
}

/** `November 22, 2026 at 6:30 PM EST`, with the zone, for what is read elsewhere or later. */
export function localMoment(at: number, locality: Locality): string {
  const time = format(at, locality, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' });
  return `${format(at, locality, { dateStyle: 'long' })} at ${time}`;
}

/** `Nov 22, 2026, 6:30:14 PM EST`, for records. */
export function localRecord(at: number, locality: Locality): string {
  return format(at, locality, { dateStyle: 'medium', timeStyle: 'long' });
}

/** The date in a zone (IANA; null for that of this computer) as `2026-11-23`, which sorts. */
export function localIsoDate(at: number, timeZone: string | null): string {
  const options = {
    timeZone: timeZone ?? undefined,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  } as const;
  return dateFormat('en-CA', options).format(at);
}
