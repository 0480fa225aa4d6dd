import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import type { scanningRoutes } from '../../../shared/api/scanning.ts';
import { openBytes } from '../../platform/file-cipher.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Caller } from '../access/service.ts';
import { noSuchScan, noSuchScanner, scannerProblem, scanUnderWay, scanWithoutPages } from './errors.ts';
import type { ScanningParts } from './parts.ts';
import type { Scan } from './scan.ts';
import { type FoundScanner, ScannerError, type ScannerIdentity } from './scanner-port.ts';
import { beginScan, discardScan, findScan, scanMore } from './scanning.ts';

type Routes = typeof scanningRoutes;
type Answer<K extends 'listScanners' | 'listNetworkScanners' | 'getScanner' | 'getScan' | 'finishScan'> =
  z.infer<Routes[K]['answer']['schema']>;
type NewScan = z.output<Routes['createScan']['body']>;
type MorePages = z.output<Routes['addPages']['body']>;

/** The service of the room: scanners, and scans under way. Each method throws the refusals of its route. */
export interface ScanningService {
  list(caller: Caller): Answer<'listScanners'>;
  /** Returns the scanners that announce themselves in the network. Takes about a second. */
  search(caller: Caller): Promise<Answer<'listNetworkScanners'>>;
  describe(caller: Caller, id: string): Promise<Answer<'getScanner'>>;
  begin(caller: Caller, wanted: NewScan): Promise<Answer<'getScan'>>;
  scanMore(caller: Caller, id: string, wanted: MorePages): Promise<Answer<'getScan'>>;
  get(caller: Caller, id: string): Answer<'getScan'>;
  /** Returns a page, counted from 1, as a JPEG. */
  page(caller: Caller, id: string, page: number): Promise<Uint8Array>;
  finish(caller: Caller, id: string): Promise<Answer<'finishScan'>>;
  discard(caller: Caller, id: string): Promise<void>;
}

export function createScanningService(parts: ScanningParts): ScanningService {
  const { scanners, printing } = parts;
  return {
    list: (caller) => ({ items: addressesFor(parts, caller).map((url) => ({ id: idOf(url), url })) }),
    search: (caller) => search(parts, caller),
    async describe(caller, id) {
      const url = addressOf(parts, caller, id);
      try {
        const { model, sources, feederLoaded } = await scanners.describe(url);
        return {
          id,
          url,
          model,
          sources: sources.map(({ source, resolutions }) => ({ source, resolutions: [...resolutions] })),
          feeder_loaded: feederLoaded,
        };
      } catch (error) {
        throw error instanceof ScannerError ? scannerProblem(error) : error;
      }
    },
    begin: async (caller, { scanner_id: scannerId, ...wanted }) =>
      present(await beginScan(parts, caller, { ...wanted, url: addressOf(parts, caller, scannerId) })),
    async scanMore(caller, id, wanted) {
      const scan = findScan(parts, caller, id);
      await scanMore(parts, scan, wanted);
      return present(scan);
    },
    get: (caller, id) => present(findScan(parts, caller, id)),
    async page(caller, id, page) {
      const file = findScan(parts, caller, id).pages[page - 1];
      if (!file) throw noSuchScan();
      const { content } = file;
      if ('bytes' in content) return content.bytes;
      const bytes = await readFile(content.path);
      return content.key ? openBytes(content.key, bytes) : bytes;
    },
    async finish(caller, id) {
      const scan = findScan(parts, caller, id);
      if (scan.run !== null) throw scanUnderWay();
      if (scan.pages.length === 0) throw scanWithoutPages();
      // Nothing else is done with it meanwhile.
      scan.run = new AbortController();
      try {
        const kept = await printing.keepScan(caller, scan.id, scan.pages);
        await discardScan(parts, scan);
        return kept;
      } finally {
        scan.run = null;
      }
    },
    discard: async (caller, id) => discardScan(parts, findScan(parts, caller, id)),
  };
}

async function search(parts: ScanningParts, { isTest }: Caller): Promise<Answer<'listNetworkScanners'>> {
  if (isTest) return { items: [] };
  parts.searching ??= searchAndIdentify(parts).finally(() => {
    parts.searching = null;
  });
  const { found, saved } = await parts.searching;
  const addresses = parts.addresses();
  return {
    items: found.map((scanner) => {
      const addedUrl =
        addresses.find((url) => url === scanner.url) ??
        addresses.find((url) => isSameScanner(scanner, saved.get(url))) ??
        null;
      const { name, model, place, url } = scanner;
      return { name, model, place, url, is_added: addedUrl !== null, added_url: addedUrl };
    }),
  };
}

async function searchAndIdentify({ scanners, addresses }: ScanningParts) {
  const [found, identities] = await Promise.all([
    scanners.search(),
    Promise.all(addresses().map(async (url) => [url, await scanners.identify(url)] as const)),
  ]);
  return { found, saved: new Map(identities) };
}

/** Compares addresses only where a UUID is missing: a scanner may have got the former address of another one. */
function isSameScanner(found: FoundScanner, saved: ScannerIdentity | undefined): boolean {
  if (saved === undefined) return false;
  if (found.uuid !== '' && saved.uuid !== '') return found.uuid === saved.uuid;
  return saved.urls.some((url) => found.urls.includes(url));
}

/** Test keys work with no device. */
const addressesFor = ({ addresses }: ScanningParts, { isTest }: Caller) => (isTest ? [] : addresses());

function addressOf(parts: ScanningParts, caller: Caller, id: string): string {
  const url = addressesFor(parts, caller).find((each) => idOf(each) === id);
  if (url === undefined) throw noSuchScanner();
  return url;
}

/** A UUID of the kind for values of one's own (version 8), so that it has the form of all IDs. */
function idOf(url: string): string {
  const [, ...parts] = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})/u.exec(sha256Hex(url)) ?? [];
  const [a, b, c, d, e] = parts;
  return `${a}-${b}-8${c}-8${d}-${e}`;
}

const present = ({ id, pages, run, problem }: Scan): Answer<'getScan'> => ({
  id,
  state: run === null ? 'waiting' : 'scanning',
  pages: pages.length,
  problem,
});
