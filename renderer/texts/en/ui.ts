import { words } from '../../ui/words.ts';

/** Words that every screen uses, with those of the kit. */
export const ui = {
  ...words,
  loading: 'Loading',
  listBroke: 'The list cannot be read',
  pageBroke: 'The rest of the list did not come.',
  tryAgain: 'Try again',
  nothingLost: 'Nothing was lost.',
  listKeys: {
    next: 'Next fax',
    previous: 'Previous fax',
    close: 'Close the fax',
  },
  pages: {
    title: 'Pages',
    page: (page: string) => `Page ${page}`,
    of: (page: string, count: string) => `Page ${page} of ${count}`,
    next: 'Next page',
    back: 'Previous page',
    zoom: 'Size of the page',
    smaller: 'Smaller',
    larger: 'Larger',
    whole: 'Whole page',
    wide: 'Full width',
    drawing: 'This page is not drawn yet',
    unreadable: 'This document cannot be shown here.',
  },
};
