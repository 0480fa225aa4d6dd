import { queryOptions } from '@tanstack/react-query';
import { scanningRoutes } from '../../shared/api/scanning.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';
import { openedAddress } from './page-token.ts';
import { retryIntervalOf } from './queries.ts';

/** Scanners of the office, and scans under way. */
export const { scanning } = createRooms({ scanning: scanningRoutes }, origin);

export type Scan = Awaited<ReturnType<typeof scanning.getScan>>;
export type NetworkScanner = Awaited<ReturnType<typeof scanning.listNetworkScanners>>['items'][number];
export type ScannerDetails = Awaited<ReturnType<typeof scanning.getScanner>>;

/** Interval at which the pages of a scan under way are counted. */
const SCAN_MS = 700;

/** Scanners of the settings. */
export const scannersQuery = queryOptions({
  queryKey: ['scanners'],
  queryFn: async ({ signal }) => (await scanning.listScanners({ signal })).items,
});

/** Abilities of a scanner, from the scanner itself each time: it may have been off before. */
export const scannerQuery = (id: string) =>
  queryOptions({
    queryKey: ['scanners', id],
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchInterval: false,
    queryFn: ({ signal }) => scanning.getScanner({ params: { id }, signal }),
  });

/** A scan; read again and again while the scanner runs. */
export const scanQuery = (id: string) =>
  queryOptions({
    queryKey: ['scans', id],
    queryFn: ({ signal }) => scanning.getScan({ params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: (query) => retryIntervalOf(query) || (query.state.data?.state === 'scanning' && SCAN_MS),
  });

/** Address of a scanned page, counted from 1. */
export const scannedPage = (id: string, page: number): string => openedAddress(`/scans/${id}/pages/${page}`);
