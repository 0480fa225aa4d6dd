import { Readable } from 'node:stream';
import type { Caller, DocumentUse } from '../../access/service.ts';
import { readPages } from '../accept/sent-document.ts';
import { openArtifact, openForTransport } from '../dispatch/artifact.ts';
import { checkLink } from '../dispatch/link.ts';
import { originalUnchanged } from '../errors.ts';
import { editsOf, originalArtifact } from '../kept-original.ts';
import type { OutboundParts } from '../parts.ts';
import { type DayReportsParts, type DayReportsRequest, dayReports } from '../proof/day-reports.ts';
import type { ReportSigner } from '../proof/transmission-report.ts';
import type { FaxNotifier } from '../record/events.ts';
import type { JobRow } from '../types.ts';
import type { FaxFinder } from './find-fax.ts';

/** A document that is being read. `sha256` in lowercase hex; null when its bytes are made for its reader. */
interface OpenedDocument {
  readonly stream: Readable | Uint8Array;
  readonly sizeBytes: number;
  readonly sha256: string | null;
}

/** Opens the documents of faxes, and records who opened them. */
export interface DocumentService {
  /** Opens the prepared PDF, from a page (counted from 1) on. Throws a 404 refusal for a page that it does not have. */
  document(caller: Caller, id: string, use: DocumentUse, fromPage?: number): Promise<OpenedDocument>;
  /** Opens the original of a fax whose pages were changed. Throws a 404 refusal for other faxes, and when it is gone. */
  original(caller: Caller, id: string, use: DocumentUse): Promise<OpenedDocument>;
  /** Opens the prepared PDF for the holder of its link. */
  linkedDocument(id: string, token: string, requestId: string): Promise<OpenedDocument>;
  /** Creates the transmission report as a PDF. */
  report(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array>;
  /** Opens a zip with the reports of a day. Throws SealError (503) while the signing key cannot be read. */
  dayReports(request: DayReportsRequest): Promise<Readable>;
}

interface DocumentParts
  extends DayReportsParts,
    Pick<OutboundParts, 'db' | 'clock' | 'storage' | 'documents' | 'settings' | 'workDirectory'> {
  readonly finder: FaxFinder;
  readonly signer: ReportSigner;
  readonly notifier: Pick<FaxNotifier, 'notifyServed'>;
}

export function createDocumentService(parts: DocumentParts): DocumentService {
  const { finder, transmissionReports, notifier, noteDocumentRead } = parts;
  return {
    async document(caller, id, use, fromPage = 1) {
      const job = await finder.find(caller, 'fax:document', id);
      const opened = fromPage === 1 ? await wholeOf(parts, job) : await pagesFrom(parts, job, fromPage);
      await noteDocumentRead(caller, { use, document: 'sent fax', id });
      return opened;
    },
    async original(caller, id, use) {
      const job = await finder.find(caller, 'fax:document', id);
      const edits = editsOf(job);
      if (edits === null) throw originalUnchanged();
      const artifact = job.artifact && originalArtifact(job.id);
      const opened = await openArtifact(parts, { ...job, artifact });
      await noteDocumentRead(caller, { use, document: 'original of a sent fax', id });
      return { ...opened, sha256: edits.original.sha256 };
    },
    async linkedDocument(id, token, requestId) {
      await checkLink(parts, id, token);
      const document = await openForTransport(parts, await finder.load(id));
      notifier.notifyServed(id, requestId);
      return { ...document, sha256: null };
    },
    async report(caller, id, use) {
      const job = await finder.find(caller, 'fax:document', id);
      const report = await transmissionReports.create(caller, await finder.recordOf(caller, job));
      await noteDocumentRead(caller, { use, document: 'transmission report', id });
      return report;
    },
    async dayReports(request) {
      await parts.signer();
      // An answer without bytes (HEAD) needs none of the work.
      return request.use === 'none' ? Readable.from([]) : dayReports(parts, request);
    },
  };
}

async function wholeOf(parts: DocumentParts, job: JobRow): Promise<OpenedDocument> {
  return { ...(await openArtifact(parts, job)), sha256: job.document_sha256 || null };
}

async function pagesFrom(parts: DocumentParts, job: JobRow, from: number): Promise<OpenedDocument> {
  const stream = await readPages(parts, job, from);
  return { stream, sizeBytes: stream.length, sha256: null };
}
