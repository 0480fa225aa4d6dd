import { readFile } from 'node:fs/promises';
import { type MessagePort, workerData } from 'node:worker_threads';
import { errorCode } from '../../platform/errors.ts';
import { DocumentError, type DocumentErrorCode } from '../document-error.ts';
import { glanceAt } from '../glance.ts';
import type { DocumentJobs, JobName, PreviewPage } from '../jobs.ts';
import { pagePicture as drawPagePicture } from '../page-picture.ts';
import { PdfiumEngine } from '../pdfium/engine.ts';
import { countPages, prepareDocument } from '../prepare.ts';
import { previewPages, rasterToTiff as writeTiff } from '../preview.ts';
import { transmissionReport as writeReport } from '../transmission-report.ts';
import { countStep, type JobCounters, tellBroken } from './progress-watch.ts';

/** What a worker thread is given at its start. */
export interface WorkerSettings {
  engineMemoryBytes: number;
}

/** A task on its way to a worker, with what it tells its progress by. */
export interface PostedJob<N extends JobName> {
  task: DocumentJobs[N]['task'];
  counters: JobCounters;
  /** Where finished pages of a preview are told; null when nobody asks. */
  pages: MessagePort | null;
}

/** Errors lose their class and their code between threads, so refusals and errors of the system travel as data. */
export type JobAnswer<T> =
  | { result: T }
  | { refused: { code: DocumentErrorCode; publicMessage: string } }
  | { failed: { code: string; message: string } };

type OnPage = (page: PreviewPage | null) => void;

const settings = workerData as WorkerSettings;
/** Never comes: only ending the thread gives a broken engine's memory back at once. */
const endOfThread = new Promise<never>(() => {});
const engine = PdfiumEngine.start(settings.engineMemoryBytes);

export const prepare = job('prepare', (pdfium, task, onPage) =>
  prepareDocument(pdfium, task, () => onPage(null)),
);
export const glance = job('glance', (pdfium, task) => glanceAt(pdfium, task));
export const preview = job('preview', (pdfium, task, onPage) => previewPages(pdfium, task, onPage));
export const rasterToTiff = job('rasterToTiff', (pdfium, task, onPage) =>
  writeTiff(pdfium, task, () => onPage(null)),
);
export const inspectPdf = job('inspectPdf', async (pdfium, task) => {
  const bytes = await readFile(task.path);
  if (!bytes.subarray(0, 1024).includes('%PDF-'))
    throw new DocumentError('unsupported', 'The document is not a PDF.');
  return { pages: countPages(pdfium, bytes) };
});
export const pagePicture = job('pagePicture', (pdfium, task) => drawPagePicture(pdfium, task));
export const transmissionReport = job('transmissionReport', (pdfium, task) => writeReport(pdfium, task));

/** Runs one kind of job in this thread's engine; a thread whose engine broke waits to be ended. */
function job<N extends JobName>(
  _name: N,
  work: (
    pdfium: PdfiumEngine,
    task: DocumentJobs[N]['task'],
    onPage: OnPage,
  ) => Promise<DocumentJobs[N]['result']>,
): (posted: PostedJob<N>) => Promise<JobAnswer<DocumentJobs[N]['result']>> {
  return async ({ task, counters, pages }) => {
    const pdfium = await engine;
    countStep(counters);
    const onPage: OnPage = (page) => {
      countStep(counters);
      if (page !== null) pages?.postMessage(page);
    };
    try {
      return { result: await work(pdfium, task, onPage) };
    } catch (error) {
      if (pdfium.isBroken) {
        tellBroken(counters);
        await endOfThread;
      }
      if (error instanceof DocumentError)
        return { refused: { code: error.code, publicMessage: error.publicMessage } };
      if (errorCode(error) === '') throw error;
      return { failed: { code: errorCode(error), message: (error as Error).message } };
    } finally {
      pages?.close();
    }
  };
}
