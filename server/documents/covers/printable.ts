import { DocumentError } from '../document-error.ts';
import type { TextFonts } from '../pdf/text-line.ts';
import { needsShaping } from '../text/lay-out-text.ts';

/** More letters than these are not named. */
const maxNamed = 8;

/** Throws a DocumentError that names the letters of these texts that no shipped font has, or that have to be joined. */
export function assertPrintable(fonts: TextFonts, texts: readonly string[], what = 'The cover page'): void {
  const lacking = new Set<string>();
  for (const text of texts)
    for (const character of text)
      if (!/\s/u.test(character) && (needsShaping.test(character) || !fonts.has(character)))
        lacking.add(character);
  if (lacking.size === 0) return;
  const named = [...lacking].slice(0, maxNamed).map(nameOf).join(', ');
  const more = lacking.size > maxNamed ? ` and ${lacking.size - maxNamed} more` : '';
  throw new DocumentError(
    'unsupported',
    `${what} cannot be printed with ${named}${more}: the fonts do not have ${lacking.size === 1 ? 'this letter' : 'these letters'}. Write it in another way.`,
  );
}

function nameOf(character: string): string {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return `“${character}” (U+${code})`;
}
