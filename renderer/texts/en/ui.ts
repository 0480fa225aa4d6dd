import { words } from '../../ui/words.ts';

/** Words that every screen uses, with those of the kit. */
export const ui = {
  ...words,
  loading: 'Loading',
  listBroke: 'The list cannot be loaded',
  pageBroke: 'The rest of the list could not be loaded.',
  tryAgain: 'Try again',
  listKeys: {
    next: 'Next fax',
    previous: 'Previous fax',
    close: 'Close fax',
  },
  pages: {
    title: 'Pages',
    page: (page: string) => `Page ${page}`,
    of: (page: string, count: string) => `Page ${page} of ${count}`,
    keys: {
      screenDown: 'Scroll down by a screen',
      screenUp: 'Scroll up by a screen',
      next: 'Next page',
      back: 'Previous page',
      right: 'Scroll right, or next page',
      left: 'Scroll left, or previous page',
      lineDown: 'Scroll down',
      lineUp: 'Scroll up',
      first: 'First page',
      last: 'Last page',
    },
    zoom: 'Page size',
    smaller: 'Zoom out',
    larger: 'Zoom in',
    whole: 'Whole page',
    wide: 'Fit to width',
    drawing: 'This page is not ready yet',
    broke: 'This page cannot be drawn.',
    unanswered:
      'This page could not be loaded, because Faxdesk does not answer. It comes when Faxdesk is back.',
  },
};
