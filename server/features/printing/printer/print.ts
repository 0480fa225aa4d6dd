import { DocumentError } from '../../../documents/documents.ts';
import { errorCode } from '../../../platform/errors.ts';
import { JOB_STATE } from '../../../platform/ipp/codes.ts';
import { assertRoom, keepDocument } from '../keep-document.ts';
import { PrintError } from '../print-error.ts';
import { diskIsFull, receiveDocument } from '../receive.ts';
import { sizeLimitOf } from '../sizes.ts';
import { nextJobNumber } from '../store.ts';
import type { DocumentForm, RequestedJob } from './job-request.ts';
import type { Printout } from './job-table.ts';
import type { FaxPrinter } from './printer.ts';

/** Creates a job. Throws PrintError while too many jobs or documents wait. */
export async function createJob(
  { parts, jobs }: FaxPrinter,
  { unsupported: _unsupported, ...wanted }: RequestedJob,
): Promise<Printout> {
  if (jobs.isFull) throw new PrintError('busy', 'Too many documents are being printed to Faxdesk.');
  await assertRoom(parts);
  const number = await parts.db.transaction((tx) => nextJobNumber(tx));
  return jobs.add({ number, ...wanted });
}

/**
 * Receives the document of a job and keeps it: when this resolves, the document waits in Faxdesk, or the job has ended with the
 * reason why it cannot be faxed. Throws PrintError for a document that is not of its format, and errors of the connection; then the
 * job is aborted.
 */
export async function printDocument(
  printer: FaxPrinter,
  job: Printout,
  { document, form }: { readonly document: AsyncIterable<Buffer>; readonly form: DocumentForm },
): Promise<void> {
  const { parts, jobs } = printer;
  jobs.begin(job);
  try {
    await receiveAndKeep(printer, job, { document, form });
  } catch (error) {
    const refusal = refusalOf(error);
    jobs.end(job, {
      state: JOB_STATE.aborted,
      reason: error instanceof DocumentError ? 'document-format-error' : 'aborted-by-system',
      message: refusal?.message ?? 'Faxdesk could not keep the document.',
    });
    if (error instanceof DocumentError) {
      parts.logger.info({ job: job.number, reason: error.code }, 'a printed document cannot be faxed');
      return;
    }
    throw refusal ?? error;
  }
}

async function receiveAndKeep(
  { parts, jobs }: FaxPrinter,
  job: Printout,
  { document, form }: { readonly document: AsyncIterable<Buffer>; readonly form: DocumentForm },
): Promise<void> {
  parts.documents.warmUp();
  const received = await receiveDocument(document, {
    ...form,
    limitOf: (format) => sizeLimitOf(parts, format),
    hasRoom: parts.hasRoom,
    file: parts.newFile(),
  });
  try {
    job.sizeBytes = received.sizeBytes;
    const kept = await keepDocument(parts, {
      document: received,
      name: job.name,
      printedBy: job.user,
      ownerId: job.ownerId,
      to: job.to,
      pageRanges: job.pageRanges,
      isCanceled: () => job.state === JOB_STATE.canceled,
    });
    if (kept === null) return;
    job.pages = kept.pages;
    jobs.end(job, {
      state: JOB_STATE.completed,
      reason: 'job-completed-successfully',
      message: 'The document waits on the Send screen of Faxdesk.',
    });
    parts.logger.info({ job: job.number, document: kept.id, pages: kept.pages }, 'a document was printed');
  } finally {
    await received.discard();
  }
}

/** Returns the refusal that a computer is answered; null for a fault of the connection or of the gateway. */
function refusalOf(error: unknown): PrintError | null {
  if (error instanceof PrintError) return error;
  if (error instanceof DocumentError) return new PrintError('formatError', error.publicMessage);
  return errorCode(error) === 'ENOSPC' ? diskIsFull() : null;
}
