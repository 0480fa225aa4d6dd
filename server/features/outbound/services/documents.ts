import type { Caller, DocumentUse } from '../../access/service.ts';
import { readPages } from '../accept/sent-document.ts';
import { openArtifact, openForTransport } from '../dispatch/artifact.ts';
import { checkLink } from '../dispatch/link.ts';
import type { TransmissionReports } from '../list/transmission-report.ts';
import type { OutboundParts } from '../parts.ts';
import type { FaxNotifier } from '../record/events.ts';
import type { JobRow } from '../types.ts';
import type { FaxFinder } from './find-fax.ts';

type OpenedDocument = ReturnType<typeof openArtifact>;
/** The rest of a document is made for its reader. */
type OpenedPages = Promise<Awaited<OpenedDocument> | { stream: Uint8Array; sizeBytes: number }>;

/** Opens the documents of faxes, and records who opened them. */
export interface DocumentService {
  /** Opens the prepared PDF, from a page (counted from 1) on. Throws a 404 refusal for a page that it does not have. */
  document(caller: Caller, id: string, use: DocumentUse, fromPage?: number): OpenedPages;
  /** Opens the prepared PDF for the holder of its link. */
  linkedDocument(id: string, token: string, requestId: string): OpenedDocument;
  /** Creates the transmission report as a PDF. */
  report(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array>;
}

interface DocumentParts
  extends Pick<
    OutboundParts,
    'db' | 'clock' | 'storage' | 'documents' | 'settings' | 'workDirectory' | 'noteDocumentRead'
  > {
  readonly finder: FaxFinder;
  readonly transmissionReports: TransmissionReports;
  readonly notifier: Pick<FaxNotifier, 'notifyServed'>;
}

export function createDocumentService(parts: DocumentParts): DocumentService {
  const { finder, transmissionReports, notifier, noteDocumentRead } = parts;
  return {
    async document(caller, id, use, fromPage = 1) {
      const job = await finder.find(caller, 'fax:document', id);
      const opened = fromPage === 1 ? await openArtifact(parts, job) : await pagesFrom(parts, job, fromPage);
      await noteDocumentRead(caller, { use, document: 'sent fax', id });
      return opened;
    },
    async linkedDocument(id, token, requestId) {
      await checkLink(parts, id, token);
      const document = await openForTransport(parts, await finder.load(id));
      notifier.notifyServed(id, requestId);
      return document;
    },
    async report(caller, id, use) {
      const job = await finder.find(caller, 'fax:document', id);
      const report = await transmissionReports.create(caller, await finder.recordOf(caller, job));
      await noteDocumentRead(caller, { use, document: 'transmission report', id });
      return report;
    },
  };
}

async function pagesFrom(parts: DocumentParts, job: JobRow, from: number) {
  const stream = await readPages(parts, job, from);
  return { stream, sizeBytes: stream.length };
}
