/**
 * Breaks a text between words into lines that fit, and a word that is longer than a line where the line ends. What
 * does not fit into `maxLines` ends in an ellipsis.
 */
export function wrapWords(
  text: string,
  { fits, maxLines }: { readonly fits: (line: string) => boolean; readonly maxLines: number },
): string[] {
  const lines: string[] = [];
  let rest = text.replaceAll(/\s+/gu, ' ').trim();
  while (rest !== '' && lines.length < maxLines) {
    const isLast = lines.length === maxLines - 1;
    if (fits(rest)) return [...lines, rest];
    if (isLast) return [...lines, `${longestFit(rest, (start) => fits(`${start}…`))}…`];
    const start = longestFit(rest, fits);
    const space = rest.startsWith(' ', start.length) ? start.length : start.lastIndexOf(' ');
    const line = space > 0 ? rest.slice(0, space) : start || [...rest][0]!;
    lines.push(line);
    rest = rest.slice(line.length).trimStart();
  }
  return lines;
}

/** Returns the longest start that fits, never half a character. */
function longestFit(text: string, fits: (start: string) => boolean): string {
  let start = '';
  for (const character of text) {
    if (!fits(start + character)) break;
    start += character;
  }
  return start;
}
