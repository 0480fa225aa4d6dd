import {
  type DocumentContent,
  DocumentError,
  type DocumentSource,
  type DocumentWork,
  type PreparedPages,
} from '../../documents/documents.ts';
import { isoTime } from '../../platform/clock.ts';
import { sha256Hex } from '../../platform/hash.ts';
import { newId } from '../../platform/ids.ts';
import type { PrintingParts } from './parts.ts';
import { PrintError } from './print-error.ts';
import { contextOf } from './printed.ts';
import type { ReceivedDocument } from './receive.ts';
import { soleSender } from './sole-sender.ts';
import { findRepeated, insertPrinted, sumPrinted } from './store.ts';
import { PRINTED_PREFIX } from './stored-documents.ts';
import type { PrintedDocumentRow } from './types.ts';

/** Documents that may wait, so that a program that prints without end does not fill the disk. */
const MAX_WAITING = 500;
const MAX_WAITING_BYTES = 4 * 1024 * 1024 * 1024;
/** A computer whose answer was lost prints the same document again within that time. */
const REPEAT_MS = 2 * 60_000;
const NAME_LENGTH = 200;

/** A document with what its computer says about it. */
interface PrintedJob {
  readonly document: ReceivedDocument;
  readonly name: string;
  /** Account that printed it, without proof; null where the computer reported none. */
  readonly printedBy: string | null;
  /** Person who printed it with a password; null where nothing proves who did. */
  readonly ownerId: string | null;
  /** Recipient that the program gave, as a person would type it; null for none. */
  readonly to: string | null;
  /** Pages to keep, from 1, in ascending order; null for all. */
  readonly pageRanges: readonly { readonly lower: number; readonly upper: number }[] | null;
  /** Returns true when the job was canceled meanwhile: then nothing is kept. */
  readonly isCanceled: () => boolean;
}

/** Throws PrintError while so many documents wait that no other one is accepted. */
export async function assertRoom({ db }: PrintingParts): Promise<void> {
  const { documents, bytes } = await sumPrinted(db.read);
  if (documents >= MAX_WAITING || bytes >= MAX_WAITING_BYTES)
    throw new PrintError('busy', 'Too many printed documents wait on the Send screen of Faxdesk.');
}

/**
 * Keeps a printed document until someone sends or discards it, once however often it is printed in a row: when this resolves,
 * it is stored. Returns null where the job was canceled. Throws DocumentError for one that cannot be faxed.
 */
export async function keepDocument(
  parts: PrintingParts,
  job: PrintedJob,
): Promise<Pick<PrintedDocumentRow, 'id' | 'pages'> | null> {
  const { document, name, printedBy, ownerId, to, pageRanges } = job;
  return await keep(parts, {
    make: makerOf(job),
    source: 'printer',
    ownerId: ownerId ?? (await soleSender(parts)),
    name,
    printedBy,
    to,
    key: sha256Hex(JSON.stringify([document.digest, name, printedBy, ownerId, pageRanges, to])),
    isCanceled: job.isCanceled,
  });
}

/**
 * Keeps the pages of a scan as one document of a person, with the promise of `keepDocument`. Throws PrintError while too many
 * documents wait, and DocumentError for pages that cannot be faxed.
 */
export async function keepScan(
  parts: PrintingParts,
  {
    id,
    ownerId,
    pages,
  }: { readonly id: string; readonly ownerId: string; readonly pages: DocumentContent[] },
): Promise<PrintedDocumentRow> {
  await assertRoom(parts);
  const sources = pages.map((content) => ({ ...content, fileName: '', declaredType: 'image/jpeg' }));
  const kept = await keep(parts, {
    make: (documents, ...place) => documents.prepare(sources, ...place),
    source: 'scanner',
    ownerId,
    name: '',
    printedBy: null,
    to: null,
    key: `scan:${id}`,
    isCanceled: () => false,
  });
  if (kept === null) throw new Error('the scan was not kept');
  return kept;
}

/** Writes the document to a path. */
type MakeDocument = (
  documents: DocumentWork,
  path: string,
  options: Pick<Parameters<DocumentWork['prepare']>[2], 'maxBytes' | 'durable' | 'seal'>,
) => Promise<PreparedPages>;

interface DocumentToKeep extends Pick<PrintedDocumentRow, 'source'> {
  readonly make: MakeDocument;
  readonly ownerId: string | null;
  readonly name: string;
  readonly printedBy: string | null;
  readonly to: string | null;
  /** Recognizes a document that comes twice. */
  readonly key: string;
  readonly isCanceled: () => boolean;
}

/** Returns the document that is stored, which may be an earlier one with the same key; null where the job was canceled. */
async function keep(
  parts: PrintingParts,
  { make, source, ownerId, name, printedBy, to, key, isCanceled }: DocumentToKeep,
): Promise<PrintedDocumentRow | null> {
  const { db, seal, storage, clock, notifier } = parts;
  const id = newId();
  const artifact = `${PRINTED_PREFIX}${id}.pdf`;
  const prepared = await storage.create(artifact, async (place) =>
    make(parts.documents.for('printer'), place.path, {
      maxBytes: parts.maxFileBytes(),
      durable: place.durable,
      seal: place.seal,
    }),
  );
  const now = clock.now();
  const sealed = (text: string | null, column: 'printed_by' | 'to_number') =>
    text === null ? null : seal.seal(text.slice(0, NAME_LENGTH), contextOf({ id }, column));
  const row: PrintedDocumentRow = {
    id,
    owner_id: ownerId,
    source,
    name: seal.seal(name.slice(0, NAME_LENGTH), contextOf({ id }, 'name')),
    printed_by: sealed(printedBy, 'printed_by'),
    to_number: sealed(to, 'to_number'),
    artifact,
    sha256: prepared.sha256,
    size_bytes: prepared.sizeBytes,
    pages: prepared.pages,
    print_key: key,
    version: 1,
    printed_at: isoTime(now),
  };
  const kept = await db.transaction(async (tx) => {
    if (isCanceled()) return null;
    const earlier = await findRepeated(tx, row.print_key, isoTime(now - REPEAT_MS));
    if (earlier) return earlier;
    await insertPrinted(tx, row);
    notifier.notify(tx, { id, version: 1, ownerId });
    return row;
  });
  if (kept?.id !== id) await storage.remove(artifact);
  return kept;
}

/** Computers that draw pixels draw only the chosen pages. */
function makerOf({ document, pageRanges }: PrintedJob): MakeDocument {
  const { content, format, digest } = document;
  if (format === 'image/pwg-raster' || format === 'image/urf')
    return (documents, path, options) => documents.preparePrinted(content, path, { ...options, format });
  const source = { ...content, fileName: '', declaredType: null, digest };
  return async (documents, ...place) =>
    documents.prepare([await chosenPages(documents, source, pageRanges)], ...place);
}

/** The pages that the job names are drawn anew as the fax prints them. */
async function chosenPages(
  documents: DocumentWork,
  source: DocumentSource,
  ranges: PrintedJob['pageRanges'],
): Promise<DocumentSource> {
  if (ranges === null) return source;
  const [checked] = await documents.quickCheck([source]);
  const all = Array.from({ length: checked?.pages ?? 0 }, (_, index) => index + 1);
  const named = all.filter((page) => ranges.some(({ lower, upper }) => page >= lower && page <= upper));
  if (named.length === 0) throw new DocumentError('invalid', 'The document has none of the chosen pages.');
  if (named.length === all.length) return source;
  return { ...source, edits: named.map((page) => ({ page, turn: 0, crop: null, marks: [] })) };
}
