/** Longest text that is searched; an index of PostgreSQL takes 2,700 bytes. */
const MOST = 400;

/** What a search in the list looks at: number, names of the files and titles. */
export function searchTextOf(to: string, words: readonly string[]): string {
  return searchable([to, ...words].join(' '))
    .slice(0, MOST)
    .toWellFormed();
}

/** Text without what a person does not see as a difference, in lower case. */
export function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
