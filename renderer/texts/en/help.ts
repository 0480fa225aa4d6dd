/** The Help screen. Its pages are those of `docs/`. */
export const help = {
  title: 'Help',
  pages: 'Help pages',
  groups: {
    begin: 'Begin',
    daily: 'Every day',
    sending: 'Sending, in detail',
    receiving: 'Receiving, in detail',
    administration: 'Running Faxdesk',
    programs: 'Programs',
  },
  searchLabel: 'Search the help',
  searchHint: 'Search the help',
  results: 'Results',
  found: (count: string, isOne: boolean) => (isOne ? '1 result' : `${count} results`),
  foundMore: (count: string) => `The best ${count} results`,
  none: (query: string) => `No help for “${query}”. Try a shorter or another word.`,
  print: 'Print this page',
  close: 'Close help',
  thisPage: 'Help page',
  gone: 'This help page does not exist',
  goneSentence: 'Choose a page from the list, or search.',
};
