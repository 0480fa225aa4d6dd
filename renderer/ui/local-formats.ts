import { words } from './words.ts';

/** Dates, numbers and sizes as the computer's language writes them. */
const language = () => navigator.language;

/** Returns a function that makes each format once: making one takes a hundred times as long as using it. */
function madeOnce<Options, Format>(make: (options: Options) => Format): (options: Options) => Format {
  const formats = new Map<string, Format>();
  return (options) => {
    const key = JSON.stringify(options);
    const known = formats.get(key);
    if (known) return known;
    const made = make(options);
    formats.set(key, made);
    return made;
  };
}

const dateFormat = madeOnce(
  (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language(), options),
);
const numberFormat = madeOnce(
  (options: Intl.NumberFormatOptions) => new Intl.NumberFormat(language(), options),
);
const relativeFormat = madeOnce(
  (options: Intl.RelativeTimeFormatOptions) => new Intl.RelativeTimeFormat(language(), options),
);

/** `10:06 AM`, or `10:06` where the day has 24 hours. */
export function formatTime(iso: string): string {
  return dateFormat({ timeStyle: 'short' }).format(new Date(iso));
}

/** The same by the clocks of a time zone. */
export function formatTimeIn(iso: string, timeZone: string): string {
  return dateFormat({ timeStyle: 'short', timeZone }).format(new Date(iso));
}

/** As people say it: `8:00 AM`, or `8:00` where the day has 24 hours. */
export function formatClock(iso: string): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(iso));
}

/** A full hour of the day as people say it: `8:00 PM`, or `20:00` where the day has 24 hours. */
export function formatHour(hour: number): string {
  return dateFormat({ hour: 'numeric', minute: '2-digit' }).format(new Date(2026, 0, 1, hour));
}

/** Formats an age in words: `3 days ago`, `2 hours ago`, `1 minute ago`. */
export function formatAgo(iso: string, now = new Date()): string {
  const minutes = Math.max(0, Math.floor((now.getTime() - Date.parse(iso)) / 60_000));
  const ago = relativeFormat({ numeric: 'always' });
  if (minutes < 60) return ago.format(-minutes, 'minute');
  if (minutes < 48 * 60) return ago.format(-Math.floor(minutes / 60), 'hour');
  return ago.format(-Math.floor(minutes / 1440), 'day');
}

/** `Monday` */
export function formatWeekday(time: Date): string {
  return dateFormat({ weekday: 'long' }).format(time);
}

/** `10:06:14 AM` */
export function formatTimeExactly(iso: string): string {
  return dateFormat({ timeStyle: 'medium' }).format(new Date(iso));
}

/** Shorter the nearer it is: `10:06 AM` today, `Fri 4:58 PM` this week, `Nov 12` this year, `Nov 12, 2025` before. */
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

/**
 * The same in a sentence, as a person says it: `at 10:06 AM` today, `yesterday at 4:58 PM`, `on Friday at 4:58 PM` this
 * week, `on November 12 at 9:00 AM`.
 */
export function formatSpoken(iso: string, now = new Date()): string {
  const time = new Date(iso);
  const clock = formatClock(iso);
  const days = Math.round((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return words.times.at(clock);
  if (days === 1) return words.times.yesterday(clock);
  if (days === -1) return words.times.tomorrow(clock);
  if (Math.abs(days) < 7) return words.times.on(formatWeekday(time), clock);
  const isThisYear = time.getFullYear() === now.getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return words.times.on(dateFormat({ day: 'numeric', month: 'long', ...year }).format(time), clock);
}

/** Formats an age compactly: `6 min`, `3 h`, `Fri`, `Nov 12`; null for less than a minute. */
export function formatAge(iso: string, now = new Date()): string | null {
  const minutes = Math.floor((now.getTime() - Date.parse(iso)) / 60_000);
  if (minutes < 1) return null;
  const hours = Math.floor(minutes / 60);
  if (hours < 1) return words.units.minutes(formatCount(minutes));
  const time = new Date(iso);
  const days = Math.floor((startOfDay(now) - startOfDay(time)) / 86_400_000);
  if (days === 0) return words.units.hours(formatCount(hours));
  if (days < 7) return dateFormat({ weekday: 'short' }).format(time);
  return formatWhen(iso, now);
}

/** `Saturday, November 21`, with the year when it is another. */
export function formatDay(time: Date, now = new Date()): string {
  const isThisYear = time.getFullYear() === now.getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return dateFormat({ weekday: 'long', day: 'numeric', month: 'long', ...year }).format(time);
}

/** `Nov 21`, with the year when it is another. */
export function formatShortDay(time: Date, now = new Date()): string {
  const isThisYear = time.getFullYear() === now.getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return dateFormat({ day: 'numeric', month: 'short', ...year }).format(time);
}

/** Day and time of something to come, `Nov 22, 6:30 PM`; today only the time. */
export function formatMoment(iso: string, now = new Date()): string {
  const time = new Date(iso);
  if (startOfDay(now) === startOfDay(time)) return formatTime(iso);
  return `${dateFormat({ day: 'numeric', month: 'short' }).format(time)}, ${formatTime(iso)}`;
}

/** Day and time of something to come, also when it is near: `today 6:30 PM`, `tomorrow 8:00 AM`, `Mon, Nov 30, 8:00 AM`. */
export function formatDayAndTime(iso: string, now = new Date()): string {
  const time = new Date(iso);
  const days = Math.round((startOfDay(time) - startOfDay(now)) / 86_400_000);
  if (days === 0 || days === 1) {
    const day = relativeFormat({ numeric: 'auto' }).format(days, 'day');
    return `${day} ${formatTime(iso)}`;
  }
  const isThisYear = time.getFullYear() === now.getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  const day = dateFormat({ weekday: 'short', day: 'numeric', month: 'short', ...year }).format(time);
  return `${day}, ${formatTime(iso)}`;
}

/** Day and time by the clocks of a time zone: `Nov 22, 6:30 PM`. */
export function formatMomentIn(iso: string, timeZone: string): string {
  const options = { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit', timeZone } as const;
  return dateFormat(options).format(new Date(iso));
}

/** Date and time in full, for titles. */
export function formatFully(iso: string): string {
  return dateFormat({ dateStyle: 'full', timeStyle: 'medium' }).format(new Date(iso));
}

function startOfDay(time: Date): number {
  return Date.UTC(time.getFullYear(), time.getMonth(), time.getDate());
}

export function formatCount(count: number): string {
  return numberFormat({}).format(count);
}

/** `1,000+` for a count that ends at `most`, where there may be more. */
export function formatUpTo(count: number, most: number): string {
  return count < most ? formatCount(count) : `${formatCount(count)}+`;
}

/** Of a part from 0 to 1: `97 %` as the language writes it, never rounded up to all of it. */
export function formatShare(part: number): string {
  const options = { style: 'percent', roundingMode: 'floor' } as const;
  return numberFormat(options).format(part);
}

/** `84 KB`, `18.4 MB`, `48 bytes` */
export function formatBytes(bytes: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  const options = { style: 'unit', unit: units[power], unitDisplay: power === 0 ? 'long' : 'short' } as const;
  return numberFormat({ ...options, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

/** `52 s`, `7 min`, `2 min 40 s`, `1 h 5 min` */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const parts: [number, (count: string) => string][] = [
    [Math.floor(whole / 3600), words.units.hours],
    [Math.floor(whole / 60) % 60, words.units.minutes],
    [whole < 3600 ? whole % 60 : 0, words.units.seconds],
  ];
  const shown = parts.filter(([value]) => value > 0);
  if (shown.length === 0) return words.units.seconds(formatCount(0));
  return shown.map(([value, unit]) => unit(formatCount(value))).join(' ');
}

const regionNames = new Intl.DisplayNames(navigator.language, { type: 'region' });

/** `United States` for `US`. */
export function countryName(code: string): string {
  return regionNames.of(code) ?? code;
}
