import type { Caller, DocumentUse } from '../../access/service.ts';
import { openArtifact, openForTransport } from '../dispatch/artifact.ts';
import { checkLink } from '../dispatch/link.ts';
import type { TransmissionReports } from '../list/transmission-report.ts';
import type { OutboundParts } from '../parts.ts';
import type { FaxNotifier } from '../record/events.ts';
import type { FaxFinder } from './find-fax.ts';

type OpenedDocument = ReturnType<typeof openArtifact>;

/** Opens the documents of faxes, and records who opened them. */
export interface DocumentService {
  /** Opens the prepared PDF as a stream. */
  document(caller: Caller, id: string, use: DocumentUse): OpenedDocument;
  /** Opens the prepared PDF for the holder of its link. */
  linkedDocument(id: string, token: string, requestId: string): OpenedDocument;
  /** Creates the transmission report as a PDF. */
  report(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array>;
}

interface DocumentParts extends Pick<OutboundParts, 'db' | 'clock' | 'storage' | 'noteDocumentRead'> {
  readonly finder: FaxFinder;
  readonly transmissionReports: TransmissionReports;
  readonly notifier: Pick<FaxNotifier, 'notifyServed'>;
}

export function createDocumentService(parts: DocumentParts): DocumentService {
  const { finder, transmissionReports, notifier, noteDocumentRead } = parts;
  return {
    async document(caller, id, use) {
      const opened = await openArtifact(parts, await finder.find(caller, 'fax:document', id));
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
