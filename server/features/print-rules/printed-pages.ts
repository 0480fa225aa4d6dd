import { DocumentError } from '../../documents/documents.ts';
import type { FileToRead } from '../../platform/file-cipher.ts';
import { failure, type PrintResult } from './outcome.ts';
import type { PrintParts } from './parts.ts';
import type { PrintForm, PrintOrder } from './printer-port.ts';
import { FAILED } from './sentences.ts';

/** A document in the form in which it goes to a printer. */
export type PrintedPages = Omit<PrintOrder, 'jobName'>;

interface Wanted {
  /** Name of the stored document. */
  readonly document: string;
  readonly form: PrintForm;
  readonly signal: AbortSignal;
}

/** Opens a document for a printer, for the time of `use`. Returns a failure when its pages cannot be drawn. */
export async function withPages(
  parts: Pick<PrintParts, 'inbound' | 'storage' | 'documents'>,
  { document, form, signal }: Wanted,
  use: (pages: PrintedPages) => Promise<PrintResult>,
): Promise<PrintResult> {
  const { format } = form;
  if (format === 'image/pwg-raster')
    return await parts.storage.withFile(document, (file) => withRaster(parts, { file, form, signal }, use));
  const { stream, sizeBytes } = await parts.inbound.openStored(document);
  try {
    return await use({ format, bytes: sizeBytes, sheet: null, chunks: () => stream });
  } finally {
    stream.destroy();
  }
}

/** The pages are drawn while they are sent, so that a long fax takes no more memory or disk than a short one. */
async function withRaster(
  { documents }: Pick<PrintParts, 'documents'>,
  given: {
    readonly file: FileToRead;
    readonly form: Extract<PrintForm, { format: 'image/pwg-raster' }>;
    readonly signal: AbortSignal;
  },
  use: (pages: PrintedPages) => Promise<PrintResult>,
): Promise<PrintResult> {
  const { file, form, signal } = given;
  let isBrokenOff = false;
  const draw = (fromPage: number) => documents.printRaster(file, form.raster, { fromPage, signal });
  // Drawn before the printer has a job, so that a failure leaves nothing there.
  const first = await draw(1).catch((error: unknown) => {
    if (error instanceof DocumentError) return null;
    throw error;
  });
  if (first === null) return failure(FAILED.notDrawn);
  async function* chunks() {
    let drawn = first!;
    yield drawn.part;
    while (drawn.nextPage !== null) {
      try {
        drawn = await draw(drawn.nextPage);
      } catch (error) {
        isBrokenOff = error instanceof DocumentError;
        throw error;
      }
      yield drawn.part;
    }
  }
  const result = await use({ format: form.format, bytes: null, sheet: first.sheet, chunks });
  // Sent again it would break off at the same page, after the pages before.
  return isBrokenOff ? failure(FAILED.brokenOff) : result;
}
