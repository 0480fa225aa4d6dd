import { type MessagePort, workerData } from 'node:worker_threads';
import { hasSignature, SIGNATURE_BYTES } from '../../../shared/document-types.ts';
import { flushTogether } from '../../platform/durable-file.ts';
import { codePage as writeCodePage } from '../code-page.ts';
import { checkCoverFile } from '../covers/check-cover-file.ts';
import { drawCover } from '../covers/draw-cover.ts';
import { DocumentError, failureOf } from '../document-error.ts';
import { contentOf } from '../document-files.ts';
import { decodePages as readEncoded } from '../encoded-pages/decode.ts';
import { estimateEncoded as countEncoded, encodePages as drawEncoded } from '../encoded-pages/encode.ts';
import type { DocumentContent, DocumentJobs, JobName, PreviewPage } from '../jobs.ts';
import { listPage as writeListPage } from '../list-page.ts';
import { copyOfficeFile } from '../office/copy-office-file.ts';
import { composePacket } from '../packet/compose-packet.ts';
import { drawPagePictures } from '../page-pictures.ts';
import { type PdfiumEngine, startPdfiumEngine } from '../pdfium/engine.ts';
import { countPages, prepareDocument } from '../prepare.ts';
import { previewPages, rasterToTiff as writeTiff } from '../preview.ts';
import { drawPrintRaster } from '../print-raster/draw-raster.ts';
import { preparePrinted } from '../print-raster/prepare-printed.ts';
import type { JobAnswer } from '../process/messages.ts';
import { closeNetwork } from '../process/no-network.ts';
import { quickCheck } from '../quick-check.ts';
import { transmissionReport as writeReport } from '../report/transmission-report.ts';
import { checkSignature } from '../signatures/check-signature.ts';
import { countPage, countStart, type JobCounters, markBroken, markEnded } from './progress-watch.ts';

/** Settings that a worker thread gets at its start. */
export interface WorkerSettings {
  engineMemoryBytes: number;
}

/** Task on its way to a worker, with the channels for its progress. */
export interface PostedJob<N extends JobName> {
  name: N;
  task: DocumentJobs[N]['task'];
  counters: JobCounters;
  /** Port for finished pages of a preview; null when no caller requested them. */
  pages: MessagePort | null;
}

closeNetwork();
const settings = workerData as WorkerSettings;
/** Never comes: only ending the thread gives a broken engine's memory back at once. */
const endOfThread = new Promise<never>(() => {});
const engine = startPdfiumEngine(settings.engineMemoryBytes);

/** Context of a job, besides its task. */
interface JobContext {
  pdfium: PdfiumEngine;
  /** Counts a finished page, and sends it where a caller waits for it. */
  onPage(page: PreviewPage | null): void;
  /** The file is flushed before the answer leaves. */
  flushLater(path: string): void;
}

const kinds: {
  readonly [N in JobName]: (
    task: DocumentJobs[N]['task'],
    context: JobContext,
  ) => Promise<DocumentJobs[N]['result']>;
} = {
  prepare: async (task, { pdfium, onPage, flushLater }) => {
    const prepared = await prepareDocument(pdfium, task, () => onPage(null));
    if (task.durable) flushLater(prepared.path);
    return prepared;
  },
  preparePrinted: async (task, { onPage, flushLater }) => {
    const prepared = await preparePrinted(task, () => onPage(null));
    if (task.durable) flushLater(task.outputPath);
    return prepared;
  },
  officeFile: async (task) => copyOfficeFile(task),
  quickCheck: (task, { pdfium }) => quickCheck(pdfium, task),
  preview: (task, { pdfium, onPage }) => previewPages(pdfium, task, onPage),
  rasterToTiff: (task, { pdfium, onPage }) => writeTiff(pdfium, task, () => onPage(null)),
  inspectPdf: async (content, { pdfium }) => {
    const bytes = contentOf(content);
    if (!hasSignature('application/pdf', bytes.toString('latin1', 0, SIGNATURE_BYTES)))
      throw new DocumentError('unsupported', 'The document is not a PDF.');
    return { pages: countPages(pdfium, bytes) };
  },
  pagePictures: (task, { pdfium }) => drawPagePictures(pdfium, task),
  printRaster: (task, { pdfium, onPage }) => drawPrintRaster(pdfium, task, () => onPage(null)),
  transmissionReport: (task, { pdfium }) => writeReport(pdfium, task),
  listPage: async (task) => writeListPage(task),
  codePage: async (task) => writeCodePage(task),
  cover: (task, { pdfium }) => drawCover(pdfium, task),
  coverFile: (task, { pdfium }) => checkCoverFile(pdfium, task),
  signature: (task) => checkSignature(task),
  packet: async (task, { pdfium, onPage, flushLater }) => {
    const packet = await composePacket(pdfium, task, () => onPage(null));
    if (task.durable) flushLater(packet.path);
    return packet;
  },
  encodePages: async (task, { pdfium, onPage }) => drawEncoded(pdfium, task, () => onPage(null)),
  estimateEncoded: async (task) => countEncoded(task),
  decodePages: async (task, { pdfium, onPage }) => readEncoded(pdfium, task, () => onPage(null)),
};

/**
 * Does the jobs one after another in this thread's engine; null for one that was withdrawn before its turn. What they
 * keep is flushed at the end, together: with four letters that takes half the time.
 */
export async function work<N extends JobName>(
  jobs: readonly PostedJob<N>[],
): Promise<(JobAnswer<DocumentJobs[N]['result']> | null)[]> {
  const pdfium = await engine;
  const unflushed: string[] = [];
  const answers: (JobAnswer<DocumentJobs[N]['result']> | null)[] = [];
  for (const job of jobs) {
    const begun = countStart(job.counters);
    answers.push(begun ? await runJob(job, pdfium, (path) => unflushed.push(path)) : null);
  }
  try {
    await flushTogether(unflushed);
  } catch (error) {
    return answers.map((answer) => (answer && 'result' in answer ? failureOf(error) : answer));
  }
  return answers;
}

/** A thread whose engine broke waits to be ended. */
async function runJob<N extends JobName>(
  { name, task, counters, pages }: PostedJob<N>,
  pdfium: PdfiumEngine,
  flushLater: JobContext['flushLater'],
): Promise<JobAnswer<DocumentJobs[N]['result']>> {
  const onPage = (page: PreviewPage | null): void => {
    countPage(counters);
    if (page !== null) pages?.postMessage(page);
  };
  try {
    return { result: await kinds[name](task, { pdfium, onPage, flushLater }) };
  } catch (error) {
    if (pdfium.isBroken) {
      markBroken(counters);
      await endOfThread;
    }
    return failureOf(error);
  } finally {
    markEnded(counters);
    pages?.close();
    if ('sources' in task) release(task.sources);
    if ('raster' in task) release([task.raster]);
    if (name === 'inspectPdf') release([task as DocumentContent]);
  }
}

/** Frees the copies that came with a job at once: those of hundreds of jobs would wait for the garbage collector. */
function release(sources: readonly DocumentContent[]): void {
  for (const source of sources) if ('bytes' in source) (source.bytes.buffer as ArrayBuffer).transfer(0);
}
