import type { z } from 'zod';
import type { printingRoutes } from '../../../shared/api/printing.ts';
import type { PrintingParts } from './parts.ts';
import { listWaiting, openDocument, type Requester, removeDocument, takeDocument } from './printed.ts';
import type { PrinterListener } from './printer/listener.ts';
import { PRINTER_NAME } from './printer/operations.ts';
import { countPrinted } from './store.ts';

type Printed = z.infer<typeof printingRoutes.takePrinted.answer.schema>;
type Printer = z.infer<typeof printingRoutes.getPrinter.answer.schema>;

/** The service of the room: documents that were printed and wait to be sent. */
export interface PrintingService {
  /** Returns the printer after every change so far is applied. */
  printer(): Promise<Printer>;
  list(requester: Requester): Promise<{ items: Printed[] }>;
  take(requester: Requester, id: string): Promise<Printed>;
  open(requester: Requester, id: string): ReturnType<typeof openDocument>;
  remove(requester: Requester, what: { id: string; faxId: string | null }): Promise<void>;
  /** Counts the documents that wait: of a person, and of no one. */
  counts(): Promise<Record<string, number>>;
}

export function createPrintingService(parts: PrintingParts, listener: PrinterListener): PrintingService {
  return {
    async printer() {
      await listener.settled();
      return {
        mode: parts.settings.mode(),
        name: PRINTER_NAME,
        uri: listener.uri,
        problem: listener.problem,
      };
    },
    list: (requester) => listWaiting(parts, requester),
    take: (requester, id) => takeDocument(parts, requester, id),
    open: (requester, id) => openDocument(parts, requester, id),
    remove: (requester, what) => removeDocument(parts, requester, what),
    counts: () => countPrinted(parts.db.read),
  };
}
