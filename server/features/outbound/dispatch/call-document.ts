import { DocumentError, type DocumentSource } from '../../../documents/documents.ts';
import type { FileToRead } from '../../../platform/file-cipher.ts';
import { localRecord } from '../../../platform/local-time.ts';
import { formatNumber } from '../../../platform/phone-number.ts';
import type { OutboundParts } from '../parts.ts';
import type { JobRow } from '../types.ts';

/** Document that a call sends for several faxes. */
export interface CallDocument {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly pages: number;
}

type Parts = Pick<OutboundParts, 'clock' | 'logger' | 'storage' | 'documents' | 'settings'>;

/** Creates the documents of calls that send several faxes. */
export interface CallDocuments {
  /**
   * Creates the document of a call in the storage: a page that lists the faxes, then their documents. Null when they
   * cannot be merged; throws the errors of reading a stored document.
   */
  create(artifact: string, jobs: readonly JobRow[]): Promise<CallDocument | null>;
}

export function createCallDocuments(parts: Parts): CallDocuments {
  return { create: (artifact, jobs) => createDocument(parts, artifact, jobs) };
}

async function createDocument(
  parts: Parts,
  artifact: string,
  jobs: readonly JobRow[],
): Promise<CallDocument | null> {
  const list = { bytes: await listPage(parts, jobs), fileName: 'list.pdf', declaredType: 'application/pdf' };
  return lendAll(parts, jobs, (files) => merge(parts, artifact, [list, ...files]));
}

async function lendAll<T>(
  parts: Pick<OutboundParts, 'storage'>,
  jobs: readonly JobRow[],
  work: (files: DocumentSource[]) => Promise<T>,
  lent: DocumentSource[] = [],
): Promise<T> {
  const [job, ...others] = jobs;
  if (!job) return work(lent);
  return parts.storage.withFile(job.artifact ?? '', (file: FileToRead) => {
    const content = typeof file === 'string' ? { path: file } : file;
    const source = { ...content, fileName: job.document_name, declaredType: 'application/pdf' };
    return lendAll(parts, others, work, [...lent, source]);
  });
}

async function merge(
  {
    documents,
    logger,
    storage,
    settings,
  }: Pick<OutboundParts, 'logger' | 'storage' | 'documents' | 'settings'>,
  artifact: string,
  sources: DocumentSource[],
): Promise<CallDocument | null> {
  // The list is the gateway's own and must not reduce the size that a fax may have.
  const maxBytes = settings.maxFileBytes() * 2;
  try {
    return await storage.create(artifact, ({ path, durable, seal }) =>
      documents.prepare(sources, path, { maxBytes, durable, seal }),
    );
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    logger.warn({ error, artifact }, 'faxes could not be merged for one call; each is called by itself');
    return null;
  }
}

/** Renders the page that lists the faxes of a call. */
function listPage(
  { documents, settings, clock }: Pick<OutboundParts, 'clock' | 'documents' | 'settings'>,
  jobs: readonly JobRow[],
): Promise<Uint8Array> {
  const where = { country: settings.country(), timeZone: settings.timeZone() };
  const sender = [settings.organization(), formatNumber(settings.ownNumber() ?? '')].filter(Boolean);
  let next = 2;
  const rows = jobs.map((job, i) => {
    const first = next;
    next += job.document_pages;
    return { label: pagesLabel(first, next - 1), value: `${i + 1}. ${contentOf(job)}` };
  });
  return documents.listPage({
    title: `${jobs.length} faxes in one call`,
    result: [
      ...(sender.length > 0 ? [`From ${sender.join(', ')}`] : []),
      `${next - 1} pages including this one`,
    ].join('. '),
    rows,
    footer: `Listed by Faxdesk on ${localRecord(clock.now(), where)}.`,
  });
}

const pagesLabel = (first: number, last: number) =>
  first === last ? `Page ${first}` : `Pages ${first} to ${last}`;

/** The titles that its sender gave it; names of files are theirs alone. */
function contentOf({ titles, document_pages }: JobRow): string {
  const named = (JSON.parse(titles) as string[]).filter((title) => title.trim() !== '').join(', ');
  return `${named || 'Fax without a title'}, ${document_pages === 1 ? '1 page' : `${document_pages} pages`}`;
}
