import { readdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { LIMITS } from '../../shared/limits.ts';
import { TEMPORARY_PREFIX, whileWriting } from '../platform/durable-file.ts';
import type { FileToRead, NewFileKey } from '../platform/file-cipher.ts';
import type { Logger } from '../platform/logger.ts';
import { preparing as preparingTrace } from '../platform/trace.ts';
import type { StartDocumentProcess } from './client/connection.ts';
import { createDocumentClient } from './client/document-client.ts';
import { startChildProcess } from './client/start-process.ts';
import type {
  CodePageContent,
  CoverContent,
  DecodedPages,
  DocumentContent,
  DocumentSource,
  DocumentToEncode,
  EncodedEstimate,
  ListPageContent,
  PacketResult,
  PacketTask,
  PreparedDocument,
  PreparedPages,
  Preview,
  PreviewPage,
  PrintedLine,
  PrinterRaster,
  QuickCheck,
  ReportContent,
  TimeAllowance,
} from './jobs.ts';
import { createOfficeSources, type OfficeOptions, type OfficeSources } from './office/office-sources.ts';
import type { PrintRaster } from './print-raster/raster-pages.ts';
import type { HeaderWords } from './raster/header-line.ts';

export { callSeconds, pageSeconds, typicalCallSeconds } from './call-seconds.ts';
export { DocumentError, type DocumentErrorCode } from './document-error.ts';
export type {
  CodePageContent,
  CoverContent,
  DecodedPages,
  DocumentContent,
  DocumentSource,
  DocumentToEncode,
  EncodedEstimate,
  PacketResult,
  PreparedDocument,
  PreparedPages,
  PreviewPage,
  PrintedLine,
  PrinterRaster,
  ReportContent,
  ReportSection,
} from './jobs.ts';
export type { HeaderWords } from './raster/header-line.ts';

/** Work on documents. Every method runs in a process of its own and throws a DocumentError for what cannot be taken. */
export interface DocumentWork {
  /**
   * Checks the sources (type by content, never by name), makes one PDF of them in order and writes it to
   * `outputPath`, whole but not flushed: who keeps it makes it durable. One PDF is kept byte for byte,
   * where possible as a second name of its source, which must not be changed then. With `cleanGreys` it is the pages in
   * black and white, as the preview shows them, without the header line. With `seal` it is written sealed; digest and size
   * are those of the plain PDF.
   */
  prepare(
    sources: DocumentSource[],
    outputPath: string,
    options: {
      maxBytes: number;
      durable?: boolean;
      cleanGreys?: boolean;
      /** Only the pages of the whole from this one on, counted from 1. */
      fromPage?: number;
      /** Of a TIFF only the first page, which is there long before the others. */
      onlyFirst?: boolean;
      /** Printed on the first or last page, in a strip where nothing is covered. */
      line?: PrintedLine | null;
      seal?: NewFileKey | null;
      signal?: AbortSignal;
    },
  ): Promise<PreparedDocument>;
  /**
   * Makes a PDF of pages that a computer drew for a printer and writes it to `outputPath`, whole but not flushed, sealed with
   * `seal`. It is done page by page: however many there are, neither they nor the PDF are whole in memory.
   */
  preparePrinted(
    raster: DocumentContent,
    outputPath: string,
    options: { format: PrintRaster; maxBytes: number; durable?: boolean; seal?: NewFileKey | null },
  ): Promise<PreparedPages>;
  /** Kind and number of pages of each source, at once: `prepare` finds what is wrong inside. */
  quickCheck(sources: DocumentSource[]): Promise<QuickCheck[]>;
  /**
   * Draws what the far machine prints: 1 bit, 1728 wide, 204 x 196 per inch, header line in the top margin; one PNG a
   * page (`page-0001.png` …) in `outputDirectory`. Begins with page `from` (1 when left out) and stops after the page
   * that ends later than `maxMs`.
   */
  preview(
    pdfPath: FileToRead,
    outputDirectory: string,
    options: {
      headerLine: HeaderWords | null;
      cleanGreys: boolean;
      compareGreys?: boolean;
      /** Pages of the whole fax, where the PDF is only its beginning. */
      pageCount?: number;
      from?: number;
      maxMs?: number;
      seal?: NewFileKey | null;
      signal?: AbortSignal;
      onPage?: (page: PreviewPage) => void;
    },
  ): Promise<Preview>;
  /** Writes the same pages as a TIFF-F file for the telephone engine. */
  rasterToTiff(
    pdfPath: FileToRead,
    outputPath: string,
    options: {
      headerLine: HeaderWords | null;
      cleanGreys: boolean;
      resolution: 'fine' | 'standard';
      signal?: AbortSignal;
    },
  ): Promise<{ pages: number }>;
  /** Opens a PDF and loads every page; for received and imported documents. */
  inspectPdf(document: string | DocumentContent): Promise<{ pages: number }>;
  /**
   * Draws pages (numbers from 1) as grey PNGs, `widthPx` wide, for the screen. To open a long scan costs as much as a small
   * picture of one of its pages. Throws when the first of them cannot be drawn; null for another one that cannot.
   */
  pagePictures(
    pdfPath: FileToRead,
    pages: readonly number[],
    widthPx: number,
  ): Promise<(Uint8Array | null)[]>;
  /**
   * Draws pages of a PDF in PWG raster for a printer, from page `fromPage` on, as many as go to the printer at a time. The parts
   * follow each other in one file.
   */
  printRaster(
    pdfPath: FileToRead,
    printer: PrinterRaster,
    options: { fromPage: number; signal?: AbortSignal },
  ): Promise<{ part: Uint8Array; sheet: string; nextPage: number | null }>;
  /** A PDF with files inside. Characters no shipped font has are shown as a replacement mark. */
  transmissionReport(content: ReportContent): Promise<Uint8Array>;
  /** A PDF of one A4 page; what does not fit is left out. */
  listPage(content: ListPageContent): Promise<Uint8Array>;
  /** A one-page PDF with a code in large type. The same content gives the same bytes. */
  codePage(content: CodePageContent): Promise<Uint8Array>;
  /**
   * Composes a cover page, as a PDF or as a PNG of what the receiving machine prints. A DocumentError names letters that
   * cannot be printed.
   */
  cover(content: CoverContent, output?: 'pdf' | 'png'): Promise<Uint8Array>;
  /** Checks an uploaded logo or PDF of a cover page and returns it as it is kept, with the names of its form fields. */
  coverFile(kind: 'logo' | 'pdf', file: Uint8Array): Promise<{ file: Uint8Array; formFields: string[] }>;
  /** Checks an uploaded signature or stamp and returns it as it is kept: ink on white, cut to the ink. */
  signature(file: Uint8Array): Promise<{ picture: Uint8Array; width: number; height: number }>;
  /**
   * Makes one PDF of the documents of a case, whole but not flushed: an index, before each document a page with its title,
   * and the page number on every page, in a strip of its own below the header line. A DocumentError names the document.
   */
  packet(
    task: Omit<PacketTask, 'outputPath' | 'maxBytes' | 'durable' | 'seal'>,
    outputPath: string,
    options: { maxBytes: number; durable?: boolean; seal?: NewFileKey | null; signal?: AbortSignal },
  ): Promise<PacketResult>;
  /** Computes how many encoded pages a document takes, more than `cap` as well. Compresses it: about a second for each megabyte. */
  estimateEncoded(document: DocumentToEncode): Promise<EncodedEstimate>;
  /**
   * Draws a document as encoded pages, which carry it byte for byte, and writes them to `outputPath` as a PDF that
   * `rasterToTiff` draws dot by dot: with a header line as well, whose lines are free on every page. `messageId` is 32 lowercase
   * hex digits, new for each fax. `words.sender` is whom people call who see only dots. Throws `too_large` for more than
   * `cap` pages (at most 255, parity pages included).
   */
  encodePages(
    document: DocumentToEncode,
    outputPath: string,
    options: {
      messageId: string;
      words: { sender: string };
      cap: number;
      seal?: NewFileKey | null;
      signal?: AbortSignal;
    },
  ): Promise<EncodedEstimate>;
  /**
   * Looks for encoded pages in a received fax and writes the document that they carry to `outputPath`, only in the state
   * `decoded`. Of a fax without them at most four pages are looked at (the first three and the last), each for less than
   * 200 ms. Each key that is tried takes about 0.1 s. `maxBytes` limits the document.
   */
  decodePages(
    pdfPath: FileToRead,
    outputPath: string,
    options: { keys: readonly string[]; maxBytes: number; seal?: NewFileKey | null; signal?: AbortSignal },
  ): Promise<DecodedPages>;
}

/** All work on documents: its own methods are the gateway's own work. */
export interface Documents extends DocumentWork {
  /** The same on account of a caller: who waits takes turns, however much each of them wants. */
  for(caller: string): DocumentWork;
  /** A document is about to come: starts the process or keeps it; otherwise the first job starts it. */
  warmUp(): void;
  /** Path of the program that converts documents of word processors; null where none is found. */
  findOffice(): Promise<string | null>;
  close(): Promise<void>;
}

export interface DocumentsOptions {
  /** The process reads and writes in these folders and nowhere else; they exist when the first job comes. */
  folders: readonly string[];
  /** Hears what the process is held to, and when it ended. */
  logger?: Logger;
  /** Starter of the process; a child of this one when left out. */
  start?: StartDocumentProcess;
  /** Converts documents of word processors; left out where nothing does. */
  office?: OfficeOptions;
  /** For how long the process is kept without work. */
  idleMs?: number;
  /** Worker threads; one a core and at most two. */
  threads?: number;
  /** Longest time for a job without finished pages. */
  jobTimeoutMs?: number;
  /** Longest time for a job altogether. */
  maxJobMs?: number;
  /** Maximum growth of the process while jobs run. */
  memoryLimitBytes?: number;
  /** Longest time from one page of a preview to the next. */
  previewTimeoutPerPageMs?: number;
}

/** A person who sends one fax after another waits for no start, and memory is given back within a minute. */
const IDLE_MS = 45_000;
/** Drawing 1,000 pages takes half of it on a slow computer. */
const MAX_JOB_MS = 600_000;
const mebibyte = 1024 * 1024;
/** On whose account the gateway's own work waits, such as on received faxes. */
const GATEWAY = 'gateway';
/** Every page of a long honest document adds this to its time. */
const perPageMs = 50;
/** From the start to the first encoded page, and after the last one: compression, and all keys that are tried. */
const ENCODING_MS = 60_000;

export type { DocumentConnection, StartDocumentProcess } from './client/connection.ts';

/** The time that jobs have: as a whole, or from page to page. */
function timeAllowances(options: DocumentsOptions): Record<'whole' | 'perPage' | 'encoding', TimeAllowance> {
  const startMs = options.jobTimeoutMs ?? 10_000;
  const maxMs = options.maxJobMs ?? MAX_JOB_MS;
  const betweenPagesMs = options.previewTimeoutPerPageMs ?? startMs;
  return {
    whole: { startMs, betweenPagesMs: null, perPageMs, maxMs },
    perPage: { startMs, betweenPagesMs, perPageMs: 0, maxMs },
    encoding: { startMs: ENCODING_MS, betweenPagesMs: ENCODING_MS, perPageMs: 0, maxMs },
  };
}

/** The process is started for the first job. */
export function createDocuments(options: DocumentsOptions): Documents {
  const client = clientOf(options);
  const { whole, perPage, encoding } = timeAllowances(options);
  const office = options.office ? officeSources(client, options.office, whole) : null;
  const withOffice: OfficeSources['use'] = async (sources, work) =>
    office === null ? await work(sources) : await office.use(sources, work);
  const workFor = (caller: string): DocumentWork => ({
    ...preparing(client, withOffice, { caller, whole, perPage }),
    preview: async (pdfPath, outputDirectory, { signal, onPage, from = 1, maxMs, seal = null, ...options }) =>
      await whileWriting(outputDirectory, async () =>
        client.run(
          'preview',
          { pdfPath, outputDirectory, options, seal, from, maxMs: maxMs ?? null },
          { caller, allowance: perPage, signal, onPage },
        ),
      ),
    rasterToTiff: async (pdfPath, outputPath, { headerLine, cleanGreys, resolution, signal }) => {
      const task = { pdfPath, outputPath, options: { headerLine, cleanGreys, resolution } };
      return await removeOutputOnError(
        client.run('rasterToTiff', task, { caller, allowance: perPage, signal }),
        outputPath,
      );
    },
    inspectPdf: async (document) =>
      await client.run('inspectPdf', contentOf(document), { caller, allowance: whole }),
    ...composing(client, caller, whole),
    packet: async (task, outputPath, { maxBytes, durable = false, seal = null, signal }) => {
      const whole = { ...task, outputPath, maxBytes, durable, seal };
      const running = client.run('packet', whole, { caller, allowance: perPage, signal });
      return await removeOutputOnError(running, outputPath);
    },
    estimateEncoded: async (document) =>
      await client.run('estimateEncoded', document, { caller, allowance: encoding }),
    encodePages: async (document, outputPath, { messageId, words, cap, seal = null, signal }) => {
      const task = { ...document, outputPath, messageId, words, cap, seal };
      const running = client.run('encodePages', task, { caller, allowance: encoding, signal });
      return await removeOutputOnError(running, outputPath);
    },
    decodePages: async (pdfPath, outputPath, { keys, maxBytes, seal = null, signal }) => {
      const task = { pdfPath, outputPath, keys, maxBytes, seal };
      const running = client.run('decodePages', task, { caller, allowance: encoding, signal });
      return await removeOutputOnError(running, outputPath);
    },
  });
  return {
    ...workFor(GATEWAY),
    for: workFor,
    warmUp: () => client.warmUp(),
    findOffice: async () => (await options.office?.converter.find()) ?? null,
    close: async () => {
      await office?.close();
      await client.close();
    },
  };
}

function clientOf(options: DocumentsOptions): ReturnType<typeof createDocumentClient> {
  const memoryLimitBytes = options.memoryLimitBytes ?? 1024 * mebibyte;
  return createDocumentClient({
    settings: {
      threads: options.threads ?? Math.min(availableParallelism(), 2),
      memoryLimitBytes,
      engineMemoryBytes: Math.min(memoryLimitBytes, 640 * mebibyte),
    },
    folders: options.folders,
    start: options.start ?? startChildProcess,
    idleMs: options.idleMs ?? IDLE_MS,
    logger: options.logger ?? null,
  });
}

function officeSources(
  client: ReturnType<typeof createDocumentClient>,
  options: OfficeOptions,
  allowance: TimeAllowance,
): OfficeSources {
  const run = { caller: GATEWAY, allowance };
  return createOfficeSources({
    ...options,
    copy: async (source, outputPath) => await client.run('officeFile', { source, outputPath }, run),
    check: async (pdf, outputPath, seal) =>
      await client.run(
        'prepare',
        {
          sources: [{ path: pdf, fileName: 'document.pdf', declaredType: 'application/pdf' }],
          outputPath,
          maxBytes: LIMITS.fileSizeMb * mebibyte,
          durable: false,
          cleanGreys: false,
          fromPage: 1,
          onlyFirst: false,
          line: null,
          seal,
        },
        run,
      ),
  });
}

/** Work on uploads, of which documents of word processors are converted before. */
function preparing(
  client: ReturnType<typeof createDocumentClient>,
  withOffice: OfficeSources['use'],
  { caller, whole, perPage }: { caller: string; whole: TimeAllowance; perPage: TimeAllowance },
): Pick<DocumentWork, 'prepare' | 'preparePrinted' | 'quickCheck'> {
  return {
    prepare: async (
      sources,
      outputPath,
      {
        maxBytes,
        durable = false,
        cleanGreys = false,
        fromPage = 1,
        onlyFirst = false,
        line = null,
        seal = null,
        signal,
      },
    ) => {
      const options = { outputPath, maxBytes, durable, cleanGreys, fromPage, onlyFirst, line, seal };
      const allowance = cleanGreys || sources.some(({ edits }) => edits) ? perPage : whole;
      const running = preparingTrace.tracePromise(() =>
        withOffice(sources, (ready) =>
          client.run('prepare', { sources: ready, ...options }, { caller, allowance, signal }),
        ),
      );
      return await removeOutputOnError(running, outputPath);
    },
    preparePrinted: async (raster, outputPath, { format, maxBytes, durable = false, seal = null }) => {
      const task = { raster, format, outputPath, maxBytes, durable, seal };
      const running = client.run('preparePrinted', task, { caller, allowance: perPage });
      return await removeOutputOnError(running, outputPath);
    },
    quickCheck: async (sources) =>
      await withOffice(sources, (ready) =>
        client.run('quickCheck', { sources: ready }, { caller, allowance: whole }),
      ),
  };
}

/** Pages and pictures that are drawn whole, in one allowance of time. */
function composing(
  client: ReturnType<typeof createDocumentClient>,
  caller: string,
  allowance: TimeAllowance,
): Pick<
  DocumentWork,
  | 'pagePictures'
  | 'printRaster'
  | 'transmissionReport'
  | 'listPage'
  | 'codePage'
  | 'cover'
  | 'coverFile'
  | 'signature'
> {
  return {
    pagePictures: async (pdfPath, pages, widthPx) =>
      await client.run('pagePictures', { pdfPath, pages, widthPx }, { caller, allowance }),
    printRaster: async (pdfPath, printer, { fromPage, signal }) =>
      await client.run('printRaster', { pdfPath, printer, fromPage }, { caller, allowance, signal }),
    transmissionReport: async (content) =>
      await client.run('transmissionReport', content, { caller, allowance }),
    listPage: async (content) => await client.run('listPage', content, { caller, allowance }),
    codePage: async (content) => await client.run('codePage', content, { caller, allowance }),
    cover: async (content, output = 'pdf') =>
      await client.run('cover', { content, output }, { caller, allowance }),
    coverFile: async (kind, file) => await client.run('coverFile', { kind, file }, { caller, allowance }),
    signature: async (file) => await client.run('signature', { file }, { caller, allowance }),
  };
}

const contentOf = (document: string | DocumentContent): DocumentContent =>
  typeof document === 'string' ? { path: document } : document;

/** A job that is ended while it writes leaves its temporary file behind. */
async function removeOutputOnError<T>(running: Promise<T>, outputPath: string): Promise<T> {
  try {
    return await whileWriting(outputPath, () => running);
  } catch (error) {
    const folder = dirname(outputPath);
    const names = await readdir(folder).catch(() => []);
    const left = names.filter(
      (name) => name.startsWith(TEMPORARY_PREFIX) && name.endsWith(`-${basename(outputPath)}`),
    );
    await Promise.all(left.map((name) => rm(join(folder, name), { force: true })));
    throw error;
  }
}
