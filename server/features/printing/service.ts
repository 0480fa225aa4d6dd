import type { z } from 'zod';
import type { printingRoutes } from '../../../shared/api/printing.ts';
import { type DocumentContent, DocumentError } from '../../documents/documents.ts';
import type { Caller } from '../access/service.ts';
import type { PrintedDocuments } from '../outbound/port.ts';
import { documentRefused, tooManyPrinted } from './errors.ts';
import { keepScan } from './keep-document.ts';
import type { PrintingParts } from './parts.ts';
import { PrintError } from './print-error.ts';
import { createPassword, describePassword, removePassword } from './print-password.ts';
import {
  discardDocument,
  listWaiting,
  openDocument,
  present,
  type Requester,
  removeSent,
  takeDocument,
} from './printed.ts';
import { PRINTER_NAME } from './printer/printer-attributes.ts';
import type { Printers } from './printer/printers.ts';
import { countPrinted } from './store.ts';

type Printed = z.infer<typeof printingRoutes.takePrinted.answer.schema>;
type Printer = z.infer<typeof printingRoutes.getPrinter.answer.schema>;

/** The service of the room: documents that were printed and wait to be sent. */
export interface PrintingService extends PrintedDocuments {
  /** Returns the printer after every change so far is applied. */
  printer(): Promise<Printer>;
  list(requester: Requester): Promise<{ items: Printed[] }>;
  take(requester: Requester, id: string): Promise<Printed>;
  open(requester: Requester, id: string): ReturnType<typeof openDocument>;
  discard(requester: Requester, id: string): Promise<void>;
  /**
   * Keeps the pages of a scan as a document of the caller. Throws refusals, also for pages that cannot be faxed.
   */
  keepScan(caller: Caller, id: string, pages: ReadonlyArray<{ content: DocumentContent }>): Promise<Printed>;
  readonly passwords: {
    describe(caller: Caller): ReturnType<typeof describePassword>;
    create(caller: Caller): ReturnType<typeof createPassword>;
    remove(caller: Caller): Promise<void>;
  };
  /** Counts the documents that wait: of a person, and of no one. */
  counts(): Promise<Record<string, number>>;
}

export function createPrintingService(parts: PrintingParts, printers: Printers): PrintingService {
  return {
    async printer() {
      const { uri, networkUri, problem } = await printers.state();
      return {
        mode: parts.settings.mode(),
        name: PRINTER_NAME,
        uri,
        network_uri: networkUri,
        network_name: parts.https.announcedPrinter(),
        problem,
      };
    },
    list: (requester) => listWaiting(parts, requester),
    take: (requester, id) => takeDocument(parts, requester, id),
    open: (requester, id) => openDocument(parts, requester, id),
    discard: (requester, id) => discardDocument(parts, requester, id),
    async keepScan(caller, id, pages) {
      const scan = { id, ownerId: caller.principal.id, pages: pages.map(({ content }) => content) };
      return present(parts.seal, await keepScan(parts, scan).catch(refused));
    },
    sent: (tx, caller, fax) => removeSent(parts, tx, caller, fax),
    passwords: {
      describe: (caller) => describePassword(parts, caller),
      create: (caller) => createPassword(parts, caller),
      remove: (caller) => removePassword(parts, caller),
    },
    counts: () => countPrinted(parts.db.read),
  };
}

/** Pages of a scan are refused to a person, and not to a computer that prints. */
function refused(error: unknown): never {
  if (error instanceof PrintError) throw tooManyPrinted();
  throw error instanceof DocumentError ? documentRefused(error) : error;
}
