const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Returns the format of a locale with these options. Each is built once and kept: building one takes a hundred times as
 * long as using it. Without `timeZone` in the options, in the time zone of the computer.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify([locale, options]);
  const kept = formats.get(key);
  if (kept !== undefined) return kept;
  const built = new Intl.DateTimeFormat(locale, options);
  formats.set(key, built);
  return built;
}

let ownTimeZone: string | null = null;

/** Returns the time zone of the computer (IANA), read once. */
export function computerTimeZone(): string {
  ownTimeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone;
  return ownTimeZone;
}
