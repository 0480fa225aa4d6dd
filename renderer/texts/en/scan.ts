const pages = (count: number) => (count === 1 ? '1 page' : `${count} pages`);

/** Scanning pages on the Send screen. */
export const scan = {
  open: 'Scan',
  title: 'Scan pages',
  scanner: 'Scanner',
  source: 'Take the pages from',
  sources: {
    glass: 'Glass, one page',
    feeder: 'Feeder',
    feeder_two_sided: 'Feeder, both sides',
  },
  paper: 'Paper size',
  papers: { letter: 'Letter', a4: 'A4', legal: 'Legal' },
  resolution: 'Resolution',
  dpi: (dpi: number) => `${dpi} dpi`,
  feederEmpty: 'The feeder is empty. Put the pages in first.',
  asking: 'Connecting to the scanner',
  tryAgain: 'Try again',
  start: 'Scan',
  more: 'Scan more pages',
  scanning: (done: number) => `Scanning page ${done + 1}`,
  scanned: (count: number) => `${pages(count)} scanned`,
  none: 'The scanned pages appear here. Nothing is sent until you send it.',
  page: (page: number) => `Page ${page}`,
  add: 'Add to the fax',
  added: (count: number) => `${pages(count)} added to the fax.`,
  stop: 'Stop',
  close: 'Close',
  question: (count: number) => `Discard ${count === 1 ? 'the scanned page' : `the ${count} scanned pages`}?`,
  discard: 'Discard',
  keep: 'Keep',
};
