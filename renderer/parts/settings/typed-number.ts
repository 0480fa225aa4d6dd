type SettingUnit = 'MB' | 'MINUTES' | 'HOURS' | 'DAYS';

/** Factor of each unit to the unit of a setting. */
const UNITS: Readonly<Record<SettingUnit, Readonly<Record<string, number>>>> = {
  MB: { mb: 1, megabyte: 1, gb: 1024, gigabyte: 1024 },
  MINUTES: { m: 1, min: 1, minute: 1, h: 60, hour: 60, day: 1_440, d: 1_440 },
  HOURS: { h: 1, hr: 1, hour: 1, d: 24, day: 24, week: 168 },
  DAYS: { d: 1, day: 1, week: 7, month: 30, year: 365 },
};

/** Returns the unit of a setting, which its name ends with (`MAX_FILE_SIZE_MB`); null for a plain number. */
export function unitOf(setting: string): SettingUnit | null {
  const end = setting.split('_').at(-1) ?? '';
  return Object.hasOwn(UNITS, end) ? (end as SettingUnit) : null;
}

const WRITTEN = /^(?<number>\d[\d\s'’.,]*)\s*(?<unit>[a-z]*)\.?$/iu;

/**
 * Parses a number into the unit of the setting: `1,000`, `1 000`, `2 MB`, `1.5 GB`, `2 hours`. Null when it is no
 * number, or no whole one: nothing is rounded.
 */
export function typedNumber(text: string, setting: string): number | null {
  const { number, unit = '' } = WRITTEN.exec(text.trim())?.groups ?? {};
  if (number === undefined) return null;
  const times = unit === '' ? 1 : timesOf(unit.toLowerCase(), setting);
  const value = Number(withPoint(number)) * (times ?? Number.NaN);
  return Number.isInteger(value) ? value : null;
}

/** Groups of three digits are set apart by a sign; one sign with another number of digits after it is the point. */
function withPoint(number: string): string {
  const grouped = number.trim().replaceAll(/[\s'’]|[,.](?=\d{3}(?:\D|$))/gu, '');
  return grouped.replace(',', '.');
}

function timesOf(unit: string, setting: string): number | undefined {
  const own = unitOf(setting);
  const known = own === null ? undefined : UNITS[own];
  return known?.[unit] ?? known?.[unit.replace(/s$/u, '')];
}
