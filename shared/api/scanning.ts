import { z } from 'zod';
import { SCAN_PAPER_NAMES, SCAN_SOURCES, SCAN_STATES } from '../scanning.ts';
import { PrintedDocument } from './printing.ts';
import { defineRoute } from './route.ts';
import { Done, Id, IdParams } from './values.ts';

const room = 'scanning';

const PageParams = z.strictObject({ id: Id, page: z.coerce.number().int().min(1).max(10_000) });

const Scanner = z
  .strictObject({
    id: Id.describe('made from the address'),
    url: z.string().describe('address of the scanner'),
  })
  .meta({ id: 'Scanner' });

const NetworkScanner = z
  .strictObject({
    name: z.string().describe('name that the scanner announces'),
    model: z.string().describe('maker and model; may be empty'),
    place: z.string().describe('place in the office, as entered at the scanner; may be empty'),
    url: z.string().describe('address of the scanner, for the setting `SCANNERS`'),
    is_added: z.boolean().describe('true if the settings have this scanner, by this or another address'),
    added_url: z
      .string()
      .nullable()
      .describe('its address in the settings, such as one with its host name; null if it is not added'),
  })
  .meta({ id: 'NetworkScanner' });

const ScannerDetails = z
  .strictObject({
    id: Id,
    url: z.string().describe('address of the scanner'),
    model: z.string().describe('maker and model, as the scanner reports them; may be empty'),
    sources: z
      .array(
        z.strictObject({
          source: z.enum(SCAN_SOURCES).describe('place that the paper is taken from'),
          resolutions: z.array(z.int()).describe('dots per inch, ascending'),
        }),
      )
      .describe('places for paper that the scanner has'),
    feeder_loaded: z
      .boolean()
      .nullable()
      .describe('true if paper is in the feeder; null if the scanner does not report it'),
  })
  .meta({ id: 'ScannerDetails' });

const Scan = z
  .strictObject({
    id: Id,
    state: z.enum(SCAN_STATES).describe('`waiting` for more pages or for its end'),
    pages: z.int().min(0).describe('pages scanned so far'),
    problem: z.string().nullable().describe('reason why the last run ended early, as a sentence for people'),
  })
  .meta({ id: 'Scan' });

const ScanOptions = z.strictObject({
  source: z.enum(SCAN_SOURCES).describe('place that the paper is taken from'),
  resolution: z.int().min(75).max(1200).describe('dots per inch, one of those of the source'),
  paper: z.enum(SCAN_PAPER_NAMES).default('letter').describe('size of the paper'),
});

/** Scanners in the office, and scans under way. Nothing is sent until a person sends it. */
export const scanningRoutes = {
  listScanners: defineRoute({
    id: 'listScanners',
    room,
    method: 'GET',
    path: '/scanners',
    summary: 'List the scanners of the settings',
    access: 'fax:send',
    anywhere: true,
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(Scanner) }).meta({ id: 'ScannerList' }),
    },
  }),
  listNetworkScanners: defineRoute({
    id: 'listNetworkScanners',
    room,
    method: 'GET',
    path: '/network-scanners',
    summary: 'Search the local network for scanners',
    description:
      'Asks by DNS-SD (AirScan) in every network of the gateway, which takes about a second. At most 30 scanners, by name.',
    access: 'settings:write',
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(NetworkScanner) }).meta({ id: 'NetworkScannerList' }),
    },
  }),
  getScanner: defineRoute({
    id: 'getScanner',
    room,
    method: 'GET',
    path: '/scanners/:id',
    summary: 'Get what a scanner can do, from the scanner itself',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: ScannerDetails },
    refusals: ['no_such_scanner', 'scanner_problem'],
  }),
  createScan: defineRoute({
    id: 'createScan',
    room,
    method: 'POST',
    path: '/scans',
    summary: 'Begin to scan',
    description:
      'The pages are scanned while `GET /scans/{id}` has the state `scanning`. A scan that nobody touches for half an hour is discarded, and so are all when the gateway stops; a finished one is kept.',
    access: 'fax:send',
    anywhere: true,
    body: ScanOptions.extend({ scanner_id: Id }).meta({ id: 'NewScan' }),
    answer: { status: 202, schema: Scan },
    refusals: ['no_such_scanner', 'scanner_problem', 'too_many_scans'],
  }),
  getScan: defineRoute({
    id: 'getScan',
    room,
    method: 'GET',
    path: '/scans/:id',
    summary: 'Get a scan of the caller',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: Scan },
    refusals: ['no_such_scan'],
  }),
  addPages: defineRoute({
    id: 'addScanPages',
    room,
    method: 'POST',
    path: '/scans/:id/pages',
    summary: 'Scan more pages after those of a scan',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    body: ScanOptions.meta({ id: 'MoreScanPages' }),
    answer: { status: 202, schema: Scan },
    refusals: ['no_such_scan', 'scan_under_way', 'scanner_problem'],
  }),
  getPage: defineRoute({
    id: 'getScanPage',
    room,
    method: 'GET',
    path: '/scans/:id/pages/:page',
    summary: 'Get a scanned page as a picture',
    access: 'fax:send',
    anywhere: true,
    params: PageParams,
    answer: { status: 200, contentType: 'image/jpeg' },
    refusals: ['no_such_scan'],
  }),
  finishScan: defineRoute({
    id: 'finishScan',
    room,
    method: 'POST',
    path: '/scans/:id/finish',
    summary: 'Keep the pages of a scan as one document',
    description: 'It waits with the printed documents of the caller until it is sent or discarded.',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: PrintedDocument },
    refusals: [
      'no_such_scan',
      'scan_under_way',
      'scan_without_pages',
      'too_many_printed',
      'document_invalid',
      'document_too_large',
    ],
  }),
  removeScan: defineRoute({
    id: 'removeScan',
    room,
    method: 'DELETE',
    path: '/scans/:id',
    summary: 'Stop and discard a scan',
    access: 'fax:send',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: Done },
    refusals: ['no_such_scan'],
  }),
} as const;
