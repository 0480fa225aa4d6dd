/** Places that a scanner takes paper from. */
export const SCAN_SOURCES = ['glass', 'feeder', 'feeder_two_sided'] as const;
export type ScanSource = (typeof SCAN_SOURCES)[number];

/** Sizes of paper, in 1/300 inch. */
export const SCAN_PAPERS = {
  letter: { width: 2550, height: 3300 },
  a4: { width: 2480, height: 3508 },
  legal: { width: 2550, height: 4200 },
} as const;
export type ScanPaper = keyof typeof SCAN_PAPERS;
export const SCAN_PAPER_NAMES = Object.keys(SCAN_PAPERS) as [ScanPaper, ...ScanPaper[]];

export const SCAN_STATES = ['scanning', 'waiting'] as const;
