import { SCAN_PAPERS, type ScanPaper, type ScanSource } from '../../../shared/scanning.ts';
import { errorCode } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import type { Caller } from '../access/service.ts';
import { noSuchScan, scannerProblem, scannerSentence, scanUnderWay, tooManyScans } from './errors.ts';
import type { ScanningParts } from './parts.ts';
import type { Scan } from './scan.ts';
import { ScannerError, type ScanOrder, type SourceAbilities } from './scanner-port.ts';

const MAX_SCANS = 50;
const MAX_PAGES = 500;
const UNUSED_MS = 30 * 60_000;
/** Grey keeps more of faint text than the black and white of the scanner. */
const COLOR_MODES = ['Grayscale8', 'RGB24', 'BlackAndWhite1'];

interface ScanRequest {
  readonly source: ScanSource;
  readonly resolution: number;
  readonly paper: ScanPaper;
}

/** Begins a scan. Throws refusals; what goes wrong after the scanner accepted is the scan's problem. */
export async function beginScan(
  parts: ScanningParts,
  caller: Caller,
  { url, ...wanted }: ScanRequest & { readonly url: string },
): Promise<Scan> {
  if (parts.scans.size >= MAX_SCANS) throw tooManyScans();
  const scan: Scan = {
    id: newId(),
    ownerId: caller.principal.id,
    url,
    pages: [],
    bytes: 0,
    run: null,
    problem: null,
    usedAt: parts.clock.now(),
  };
  await run(parts, scan, wanted);
  parts.scans.set(scan.id, scan);
  return scan;
}

/** Scans more pages after those of a scan. Throws refusals. */
export async function scanMore(parts: ScanningParts, scan: Scan, wanted: ScanRequest): Promise<void> {
  if (scan.run !== null) throw scanUnderWay();
  await run(parts, scan, wanted);
}

/** Returns the scan of a caller, and counts as its use. Throws a refusal where it is gone or of someone else. */
export function findScan({ scans, clock }: ScanningParts, caller: Caller, id: string): Scan {
  const scan = scans.get(id);
  if (scan?.ownerId !== caller.principal.id || caller.isTest) throw noSuchScan();
  scan.usedAt = clock.now();
  return scan;
}

/** Stops the scanner where it runs, and removes the pages. */
export async function discardScan({ scans }: Pick<ScanningParts, 'scans'>, scan: Scan): Promise<void> {
  scans.delete(scan.id);
  scan.run?.abort();
  await Promise.all(scan.pages.splice(0).map((page) => page.discard()));
}

/** Discards the scans that nobody has touched for half an hour. */
export async function discardUnused(parts: Pick<ScanningParts, 'clock' | 'scans'>): Promise<void> {
  const before = parts.clock.now() - UNUSED_MS;
  // A clock that was set back makes them unused later.
  const unused = [...parts.scans.values()].filter(({ usedAt, run: current }) => usedAt < before && !current);
  await Promise.all(unused.map((scan) => discardScan(parts, scan)));
}

/** Starts a run of the scanner; its pages arrive after the answer. */
async function run(parts: ScanningParts, scan: Scan, wanted: ScanRequest): Promise<void> {
  const { scanners, logger } = parts;
  const stop = new AbortController();
  scan.run = stop;
  scan.problem = null;
  let job: string;
  try {
    const { sources } = await scanners.describe(scan.url, stop.signal);
    const abilities = sources.find(({ source }) => source === wanted.source);
    if (!abilities) throw new ScannerError('refused', `it has no ${wanted.source}`);
    job = await scanners.begin(scan.url, orderOf(abilities, wanted), stop.signal);
  } catch (error) {
    scan.run = null;
    throw error instanceof ScannerError ? scannerProblem(error) : error;
  }
  void receivePages(parts, scan, { job, source: wanted.source, stop })
    .catch((error: unknown) => {
      if (stop.signal.aborted) return;
      scan.problem = problemOf(error);
      logger.warn({ error, pages: scan.pages.length }, 'a scan ended early');
    })
    // Some scanners stay busy for a while with a job that nobody ends.
    .then(() => scanners.cancel(job))
    .finally(() => {
      scan.run = null;
    });
}

async function receivePages(
  { scanners, newFile, maxFileBytes }: ScanningParts,
  scan: Scan,
  { job, source, stop }: { job: string; source: ScanSource; stop: AbortController },
): Promise<void> {
  for (let count = 0; ; count += 1) {
    // One sheet lies on the glass; to ask for a second page makes some scanners scan it again.
    if (source === 'glass' && count > 0) return;
    const bytes = await scanners.nextPage(scan.url, job, stop.signal);
    if (bytes === null) {
      if (count === 0) throw new ScannerError('feeder_empty', 'it had no page');
      return;
    }
    if (scan.bytes + bytes.length > maxFileBytes() || scan.pages.length >= MAX_PAGES)
      throw new TooLargeError('the scan is too large');
    const file = newFile();
    try {
      await file.add(Buffer.from(bytes));
      await file.end();
    } catch (error) {
      await file.close();
      await file.discard();
      throw error;
    }
    await file.close();
    if (stop.signal.aborted) {
      await file.discard();
      return;
    }
    scan.bytes += bytes.length;
    scan.pages.push(file);
  }
}

class TooLargeError extends Error {}

function problemOf(error: unknown): string {
  if (error instanceof ScannerError) return scannerSentence(error);
  if (error instanceof TooLargeError)
    return 'The scan has more pages than a fax may have. Add it to the fax, or send it in parts.';
  if (errorCode(error) === 'ENOSPC')
    return 'The disk of the Faxdesk computer is full. Tell your administrator.';
  return 'The pages could not be kept. Scan them again.';
}

function orderOf(abilities: SourceAbilities, { resolution, paper, source }: ScanRequest): ScanOrder {
  const { resolutions, colorModes, maxWidth, maxHeight } = abilities;
  const [first = resolution] = resolutions;
  const { width, height } = SCAN_PAPERS[paper];
  return {
    source,
    // The scanner of the settings may have been replaced since its resolutions were shown.
    resolution: resolutions.reduce(
      (best, dpi) => (Math.abs(dpi - resolution) < Math.abs(best - resolution) ? dpi : best),
      first,
    ),
    colorMode: COLOR_MODES.find((mode) => colorModes.includes(mode)) ?? 'Grayscale8',
    width: Math.min(width, maxWidth),
    height: Math.min(height, maxHeight),
  };
}
