import { sha256Hex } from '../../platform/hash.ts';
import { DocumentError } from '../document-error.ts';
import { contentOf, writeDocument } from '../document-files.ts';
import type { DocumentSource, PacketResult, PacketTask } from '../jobs.ts';
import { documentTooLarge, maxPages, tooManyPages } from '../limits.ts';
import { mediaTypeOf } from '../media-type.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { createPacketPages, openFlattened, type PacketPages } from '../pdfium/join-packet.ts';
import { openPdf } from '../pdfium/opened-pdf.ts';
import { checkedPdf, checkSizes } from '../prepare.ts';
import { createFramePages } from './frame-pages.ts';
import { type PacketSheet, sheetFor } from './packet-sheet.ts';
import { namePacketDocument, type PacketEntry, packetWords } from './packet-words.ts';

/** A page of the packet before it has its number: a page of a document, or one that the packet adds. */
interface Leaf {
  readonly sheet: PacketSheet;
  /** Its number among the collected pages, counted from 1. */
  readonly page: number;
}

/**
 * Makes one PDF of the documents of a case: an index, before each document a page with its title, and the page number on
 * every page. Writes it, not yet flushed. `onPage` is called for each page that is done.
 */
export async function composePacket(
  engine: PdfiumEngine,
  task: PacketTask,
  onPage: () => void,
): Promise<PacketResult> {
  checkSizes(task.sources, task.maxBytes);
  const counts = await countPages(engine, task, onPage);
  const bytes = engine.guard(() => compose(engine, task, { counts, onPage }));
  if (bytes.length > task.maxBytes) throw documentTooLarge(task.maxBytes);
  writeDocument(task.outputPath, bytes, task.seal);
  const entries = entriesOf(task, counts);
  return {
    path: task.outputPath,
    sha256: sha256Hex(bytes),
    sizeBytes: bytes.length,
    pages: entries.total,
    documents: entries.list.map((entry) =>
      'pages' in entry ? { pages: entry.pages, firstPage: entry.firstPage } : null,
    ),
  };
}

/** Counts the pages of each document. Throws the reason why one cannot be sent, under its number and title. */
async function countPages(engine: PdfiumEngine, task: PacketTask, onPage: () => void): Promise<number[]> {
  const counts: number[] = [];
  let total = 0;
  for (const { source, number, title } of sentDocuments(task)) {
    const count = await named({ number, title }, async () => {
      if (mediaTypeOf(source) !== 'application/pdf')
        throw new DocumentError('unsupported', 'Only PDF documents can be sent in a case packet.');
      const bytes = contentOf(source);
      const sha256 = source.digest ?? sha256Hex(bytes);
      return checkedPdf(engine, { bytes, sha256 }, onPage).pages ?? 0;
    });
    counts.push(count);
    total += count + 1;
    if (total > maxPages) throw new DocumentError('too_large', tooManyPages());
  }
  return counts;
}

interface SentDocument {
  readonly source: DocumentSource;
  /** Among all documents of the packet, counted from 1. */
  readonly number: number;
  readonly title: string;
}

function sentDocuments({ entries, sources }: PacketTask): SentDocument[] {
  const rest = [...sources];
  return entries.flatMap(({ title, note }, i) => {
    const source = note === null ? rest.shift() : undefined;
    return source ? [{ source, number: i + 1, title }] : [];
  });
}

async function named<T>(
  { number, title }: { number: number; title: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(error.code, namePacketDocument(number, title, error.publicMessage), {
      cause: error.cause,
    });
  }
}

/** Places the documents behind the index, each behind a page with its title. */
function entriesOf(
  task: PacketTask,
  counts: readonly number[],
): { list: PacketEntry[]; total: number; indexPages: number } {
  const rest = [...counts];
  const place = (page: number): { list: PacketEntry[]; next: number } => {
    let next = page;
    const left = [...rest];
    const list = task.entries.map(({ title, note }): PacketEntry => {
      if (note !== null) return { title, note };
      const pages = left.shift() ?? 0;
      const entry = { title, pages, firstPage: next + 1 };
      next += pages + 1;
      return entry;
    });
    return { list, next };
  };
  const draft = place(2);
  const indexPages = createFramePages().countIndexPages({
    ...task,
    entries: draft.list,
    pages: draft.next - 1,
  });
  const { list, next } = place(indexPages + 1);
  if (next - 1 > maxPages) throw new DocumentError('too_large', tooManyPages());
  return { list, total: next - 1, indexPages };
}

function compose(
  engine: PdfiumEngine,
  task: PacketTask,
  { counts, onPage }: { counts: readonly number[]; onPage: () => void },
): Buffer {
  const { list, total, indexPages } = entriesOf(task, counts);
  using collected = createPacketPages(engine);
  const frames = addFrames(engine, collected, task, { entries: list, total });
  const leaves: Leaf[] = frames.slice(0, indexPages);
  const separators = frames.slice(indexPages);
  for (const { source } of sentDocuments(task)) {
    const separator = separators.shift();
    if (separator) leaves.push(separator);
    leaves.push(...addDocument(engine, collected, source, onPage));
  }
  const numbers = createFramePages();
  for (const [i, { sheet }] of leaves.entries())
    numbers.addNumber(packetWords.pageNumber(task.caseId, i + 1, total), sheet);
  using pdf = openPdf(engine, numbers.finish(task.maxBytes));
  const first = collected.add(pdf);
  return collected.join(
    leaves.map((leaf, i) => ({ ...leaf, numberPage: first + i })),
    onPage,
  );
}

/** Adds the index and the pages with titles. */
function addFrames(
  engine: PdfiumEngine,
  collected: PacketPages,
  task: PacketTask,
  { entries, total }: { entries: readonly PacketEntry[]; total: number },
): Leaf[] {
  const frames = createFramePages();
  frames.addIndex({ ...task, entries, pages: total });
  for (const [i, entry] of entries.entries())
    if ('pages' in entry)
      frames.addSeparator(task.caseId, { number: i + 1, documents: entries.length }, entry);
  using pdf = openPdf(engine, frames.finish(task.maxBytes));
  return addPages(collected, pdf, () => undefined);
}

function addDocument(
  engine: PdfiumEngine,
  collected: PacketPages,
  source: DocumentSource,
  onPage: () => void,
): Leaf[] {
  using pdf = openFlattened(engine, contentOf(source));
  return addPages(collected, pdf, onPage);
}

function addPages(collected: PacketPages, pdf: ReturnType<typeof openPdf>, onPage: () => void): Leaf[] {
  const sheets = Array.from({ length: pdf.pageCount }, (_, index) => {
    const sheet = pdf.withPage(index, (page) => sheetFor(pdf, page));
    onPage();
    return sheet;
  });
  const first = collected.add(pdf);
  return sheets.map((sheet, i) => ({ sheet, page: first + i }));
}
