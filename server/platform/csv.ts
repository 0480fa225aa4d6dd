/** One line of RFC 4180 with its end. Nothing is an empty cell. */
export function csvLine(values: readonly (string | number | null)[]): string {
  return `${values.map((value) => cellOf(String(value ?? ''))).join(',')}\r\n`;
}

/**
 * A spreadsheet takes a cell that begins with one of these signs for a formula and would run it. A text that has the
 * apostrophe already gets another one, so that a reader can take one away.
 */
function cellOf(text: string): string {
  const safe = /^'*[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
