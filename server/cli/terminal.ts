/** Output of a command: answers on standard output, messages about them on standard error. */
interface Terminal {
  /** A line of the answer. */
  print(text: string): void;
  /** A remark that is not part of the answer. */
  note(text: string): void;
  /** A line that is written over by the next; only where a person watches. */
  progress(text: string): void;
}

export const terminal: Terminal = {
  print: (text) => void process.stdout.write(`${text}\n`),
  note(text) {
    clearProgress();
    process.stderr.write(`${text}\n`);
  },
  progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
  },
};

function clearProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\u001B[K');
}

/** Columns padded to their widest cell; a cell without a value is shown as `-`. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number | null)[])[],
): string {
  const cells = [
    head,
    ...rows.map((row) => row.map((cell) => (cell === null || cell === '' ? '-' : oneLine(String(cell))))),
  ];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `name: value` lines with the values in one column. */
export function facts(entries: readonly (readonly [string, string | number | null])[]): string {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries
    .map(([name, value]) => `${`${name}:`.padEnd(width + 2)}${oneLine(String(value ?? '-'))}`)
    .join('\n');
}

/** Replaces control characters, so that names from files or people cannot control the terminal. */
export function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}
