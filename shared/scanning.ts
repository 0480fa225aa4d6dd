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

/** Returns the address of a scanner out of an entry of `SCANNERS`: `http://host/eSCL` where it names only a host. */
export function scannerAddress(entry: string): string {
  const url = URL.parse(/^https?:\/\//iu.test(entry) ? entry : `http://${entry}`);
  if (url === null) return entry;
  const path = url.pathname.replace(/\/+$/u, '');
  return `${url.origin}${path === '' ? '/eSCL' : path}`;
}
