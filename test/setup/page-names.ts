/** Returns the names in the address of the pages or parts that a file lists: `{ page: 'health', … }`. */
export function pageNamesIn(text: string): string[] {
  return [...text.matchAll(/\{ (?:page|part): '([^']+)'/gu)].map(([, name = '']) => name);
}
