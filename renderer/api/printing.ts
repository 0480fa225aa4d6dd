import { queryOptions } from '@tanstack/react-query';
import { printingRoutes } from '../../shared/api/printing.ts';
import { createRooms } from '../../shared/client/rooms.ts';
import { origin } from './client.ts';

/** Documents that were printed to Faxdesk. */
export const { printing } = createRooms({ printing: printingRoutes }, origin);

export type PrintedDocument = Awaited<ReturnType<typeof printing.listPrinted>>['items'][number];

/** Printed documents that wait for the person who is signed in, or for anyone here; newest first. */
export const printedQuery = queryOptions({
  queryKey: ['printed'],
  staleTime: 0,
  queryFn: async ({ signal }) => (await printing.listPrinted({ signal })).items,
});

/** The fax printer and its addresses. */
export const printerQuery = queryOptions({
  queryKey: ['printer'],
  queryFn: ({ signal }) => printing.getPrinter({ signal }),
});

/** User name and age of the print password of the person who is signed in. */
export const printPasswordQuery = queryOptions({
  queryKey: ['print-password'],
  queryFn: ({ signal }) => printing.getPassword({ signal }),
});
