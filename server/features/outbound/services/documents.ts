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

/** An opened document. `sha256` in lowercase hex; null when it is not known, as for bytes that are made for this request. */
interface OpenedDocument {
  readonly stream: Readable | Uint8Array;
  readonly sizeBytes: number;
  readonly sha256: string | null;
}

/** Opens the documents of faxes, and records who opened them. */
export interface DocumentService {
  /** Opens the prepared PDF, from a page (counted from 1) on. Throws a 404 refusal for a page that it does not have. */
  openDocument(caller: Caller, id: string, use: DocumentUse, fromPage?: number): Promise<OpenedDocument>;
  /** Opens the original of a fax whose pages were changed. Throws a 404 refusal for other faxes, and when it is gone. */
  openOriginal(caller: Caller, id: string, use: DocumentUse): Promise<OpenedDocument>;
  /** Opens the document that the fax is sent as, for a provider that fetches it by its link. Throws refusals. */
  openLinkedDocument(id: string, token: string, requestId: string): Promise<OpenedDocument>;
  /** Creates the transmission report as a PDF. */
  createReport(caller: Caller, id: string, use: DocumentUse): Promise<Uint8Array>;
  /** Opens a zip with the reports of a day. Throws SealError (503) while the signing key cannot be read. */
  openDayReports(request: DayReportsRequest): Promise<Readable>;
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
    async openDocument(caller, id, use, fromPage = 1) {
      const job = await finder.find(caller, 'fax:document', id);
      const opened = fromPage === 1 ? await openWhole(parts, job) : await openFromPage(parts, job, fromPage);
      await noteDocumentRead(caller, { use, document: 'sent fax', id });
      return opened;
    },
    async openOriginal(caller, id, use) {
      const job = await finder.find(caller, 'fax:document', id);
      const edits = editsOf(job);
      if (edits === null) throw originalUnchanged();
      const artifact = job.artifact && originalArtifact(job.id);
      const opened = await openArtifact(parts, { ...job, artifact });
      await noteDocumentRead(caller, { use, document: 'original of a sent fax', id });
      return { ...opened, sha256: edits.original.sha256 };
    },
    async openLinkedDocument(id, token, requestId) {
      await checkLink(parts, id, token);
      const document = await openForTransport(parts, await finder.load(id));
      notifier.notifyServed(id, requestId);
      return { ...document, sha256: null };
    },
    async createReport(caller, id, use) {
      const job = await finder.find(caller, 'fax:document', id);
      const report = await transmissionReports.create(caller, await finder.recordOf(caller, job));
      await noteDocumentRead(caller, { use, document: 'transmission report', id });
      return report;
    },
    async openDayReports(request) {
      await parts.signer();
      // `none` is a HEAD request, whose response has no body.
      return request.use === 'none' ? Readable.from([]) : dayReports(parts, request);
    },
  };
}

async function openWhole(parts: DocumentParts, job: JobRow): Promise<OpenedDocument> {
  return { ...(await openArtifact(parts, job)), sha256: job.document_sha256 || null };
}

async function openFromPage(parts: DocumentParts, job: JobRow, from: number): Promise<OpenedDocument> {
  const stream = await readPages(parts, job, from);
  return { stream, sizeBytes: stream.length, sha256: null };
}
