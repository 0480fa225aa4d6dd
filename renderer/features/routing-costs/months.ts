/** Months as `2026-11`, and their days as `2026-11-23`. */
const PARTS = /^(\d{4})-(0[1-9]|1[0-2])$/u;

export const isMonth = (text: string): boolean => PARTS.test(text);

/** The month so many months later, or earlier. */
export function monthPlus(month: string, months: number): string {
  const [, year, number] = PARTS.exec(month) ?? [];
  return new Date(Date.UTC(Number(year), Number(number) - 1 + months)).toISOString().slice(0, 7);
}

/** Its first and its last day. */
export function daysOfMonth(month: string): { readonly from: string; readonly to: string } {
  const [, year, number] = PARTS.exec(month) ?? [];
  const last = new Date(Date.UTC(Number(year), Number(number), 0));
  return { from: `${month}-01`, to: last.toISOString().slice(0, 10) };
}

/** From the first to the same day of another month, or its last where it is shorter. */
export function upToDay(month: string, day: string): { readonly from: string; readonly to: string } {
  const { from, to } = daysOfMonth(month);
  const same = `${month}${day.slice(7)}`;
  return { from, to: same < to ? same : to };
}

/** Every day from one to another, both included. */
export function daysBetween(from: string, to: string): string[] {
  const days: string[] = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += 24 * 3_600_000)
    days.push(new Date(at).toISOString().slice(0, 10));
  return days;
}

/** `November 2026` */
export const monthName = (month: string): string =>
  inWords(`${month}-01`, { month: 'long', year: 'numeric' });
/** `November` */
export const shortMonthName = (month: string): string => inWords(`${month}-01`, { month: 'long' });
/** `Mon, Nov 23` */
export const weekdayName = (day: string): string =>
  inWords(day, { weekday: 'short', month: 'short', day: 'numeric' });
/** `November 23` */
export const dayName = (day: string): string => inWords(day, { month: 'long', day: 'numeric' });

/** A date is the same day wherever the computer is. */
const inWords = (day: string, options: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(navigator.language, { ...options, timeZone: 'UTC' }).format(new Date(day));
