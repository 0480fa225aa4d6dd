/** Words of a typed line. */
interface SplitLine {
  /** Complete words, without their quotes. */
  readonly words: readonly string[];
  /** Quote that is still open at the end; null without one. */
  readonly openQuote: string | null;
  /** Place in the line where the last word begins. */
  readonly lastAt: number;
}

const SPACES = /\s/u;

/**
 * Splits a line into words as a shell does: single and double quotes keep spaces, a backslash keeps the next character.
 * Nothing is replaced or run. A line that ends with a space has an empty last word.
 */
export function splitLine(line: string): SplitLine {
  const words: string[] = [];
  let word: string | null = null;
  let quote: string | null = null;
  let lastAt = 0;
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    if (word === null && !SPACES.test(character)) lastAt = at;
    if (character === '\\' && quote !== "'" && at + 1 < line.length) {
      at += 1;
      word = (word ?? '') + (line[at] ?? '');
    } else if (quote !== null) {
      if (character === quote) quote = null;
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (!SPACES.test(character)) word = (word ?? '') + character;
    else if (word !== null) {
      words.push(word);
      word = null;
    }
  }
  if (word === null) lastAt = line.length;
  if (word !== null || line === '' || SPACES.test(line.at(-1) ?? '')) words.push(word ?? '');
  return { words, openQuote: quote, lastAt };
}

/** Returns the words of a complete line; throws SyntaxError for a quote that is not closed. */
export function wordsOf(line: string): readonly string[] {
  const { words, openQuote } = splitLine(line.trim());
  if (openQuote !== null) throw new SyntaxError(`The quote ${openQuote} is not closed.`);
  return words.length === 1 && words[0] === '' ? [] : words;
}

/** Returns a word as it is typed after a quote that is open, with the closing quote; without one, with backslashes. */
export function escaped(word: string, openQuote: string | null): string {
  if (openQuote === "'") return `'${word}'`;
  if (openQuote === '"') return `"${word.replaceAll(/["\\]/gu, String.raw`\$&`)}"`;
  return word.replaceAll(/[^\w@%+=:,./#-]/gu, String.raw`\$&`);
}
