/** What a search among people looks at. */
export function searchTextOf(person: { display_name: string; login: string | null }): string {
  return searchable(`${person.display_name} ${person.login ?? ''}`);
}

/** Text without what a person does not see as a difference, in lower case. */
export function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
}
