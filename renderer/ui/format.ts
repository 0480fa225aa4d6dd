import { usePhoneReaderLater } from './phone-reader.ts';

/** Dates, numbers and sizes as the computer's language writes them. */
const language = () => navigator.language;

const dateFormats = new Map<string, Intl.DateTimeFormat>();

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  const known = dateFormats.get(key);
  if (known) return known;
  const made = new Intl.DateTimeFormat(language(), options);
  dateFormats.set(key, made);
  return made;
}

/** `10:06` */
export function formatTime(iso: string): string {
  return dateFormat({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(iso));
}

/** `10:06:14` */
export function formatTimeExactly(iso: string): string {
  const options = { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' } as const;
  return dateFormat(options).format(new Date(iso));
}

/** Shorter the nearer it is: `10:06` today, `Fri 16:58` this week, `12 Nov` this year, `12 Nov 2025` before. */
export function formatWhen(iso: string, now = new Date()): string {
  const time = new Date(iso);
  const days = Math.floor((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return formatTime(iso);
  if (days > 0 && days < 7) return `${dateFormat({ weekday: 'short' }).format(time)} ${formatTime(iso)}`;
  const isThisYear = time.getFullYear() === now.getFullYear();
  return dateFormat({ day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) }).format(
    time,
  );
}

/** How long ago, shorter than a time: `6 min`, `3 h`, `Fri`, `12 Nov`; null for less than a minute. */
export function formatAge(iso: string, now = new Date()): string | null {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000);
  if (minutes < 1) return null;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return formatUnit(minutes, 'minute');
  const time = new Date(iso);
  const days = Math.floor((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return formatUnit(hours, 'hour');
  if (days < 7) return dateFormat({ weekday: 'short' }).format(time);
  return formatWhen(iso, now);
}

function formatUnit(value: number, unit: string, unitDisplay: 'short' | 'long' = 'short'): string {
  return new Intl.NumberFormat(language(), { style: 'unit', unit, unitDisplay }).format(value);
}

/** `Saturday 21 November`, with the year when it is another. */
export function formatDay(time: Date, now = new Date()): string {
  const isThisYear = time.getFullYear() === now.getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return dateFormat({ weekday: 'long', day: 'numeric', month: 'long', ...year }).format(time);
}

/** Day and time of something to come, `22 Nov, 18:30`; today only the time. */
export function formatMoment(iso: string, now = new Date()): string {
  const time = new Date(iso);
  if (startOfDay(now) === startOfDay(time)) return formatTime(iso);
  const options = {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  } as const;
  return dateFormat(options).format(time);
}

/** Date and time in full, for titles. */
export function formatFully(iso: string): string {
  return dateFormat({ dateStyle: 'full', timeStyle: 'medium' }).format(new Date(iso));
}

function startOfDay(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
}

export function formatCount(count: number): string {
  return new Intl.NumberFormat(language()).format(count);
}

/** `84 KB`, `18.4 MB`, `48 bytes` */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  const options = { style: 'unit', unit: units[power], unitDisplay: power === 0 ? 'long' : 'short' } as const;
  return new Intl.NumberFormat(language(), { ...options, maximumFractionDigits: value < 10 ? 1 : 0 }).format(
    value,
  );
}

/** `16 seconds`, `2 minutes 40 seconds`, `1 hour 5 minutes` */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts: [number, string][] = [
    [Math.floor(whole / 3600), 'hour'],
    [Math.floor(whole / 60) % 60, 'minute'],
    [whole < 3600 ? whole % 60 : 0, 'second'],
  ];
  const shown = parts.filter(([value]) => value > 0);
  if (shown.length === 0) shown.push([0, 'second']);
  return shown.map(([value, unit]) => formatUnit(value, unit, 'long')).join(' ');
}

const asItIs = (number: string) => number;

/** Writes E.164 numbers with the gaps of their country: `+15035550119` is `+1 503 555 0119`. */
export function usePhoneFormat(): (number: string) => string {
  return usePhoneReaderLater()?.formatNumber ?? asItIs;
}

const regionNames = new Intl.DisplayNames(navigator.language, { type: 'region' });

/** `United States` for `US`. */
export function countryName(code: string): string {
  return regionNames.of(code) ?? code;
}
