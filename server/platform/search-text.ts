/** Longest text that is searched; an index of PostgreSQL takes 2,700 bytes. */
const MAX_LENGTH = 400;
/** To fold many accents takes time by the square of their number. */
const MAX_FOLDED_LENGTH = 4 * MAX_LENGTH;
/** Characters in which a number with its groups is typed. */
const NUMBER = /^[\d+()\-./\s]+$/u;

/** Returns the text that a search matches: these words in one line, folded like the search term. */
export function searchTextOf(words: readonly (string | null)[]): string {
  const text = words.filter((word) => word !== null).join(' ');
  return foldText(text.slice(0, MAX_FOLDED_LENGTH)).slice(0, MAX_LENGTH).toWellFormed();
}

/** Texts of which a hit holds at least one: what was typed, and its digits when it may be a number. None for spaces. */
export function searchTerms(typed: string): string[] {
  const text = foldText(typed);
  if (text === '') return [];
  const digits = NUMBER.test(text) ? text.replaceAll(/\D/gu, '') : '';
  return digits === '' || digits === text ? [text] : [text, digits];
}

/** Folds a name for its order and for comparing: in lower case, without accents. */
export function foldName(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Without what a person does not see as a difference, in lower case. */
function foldText(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
