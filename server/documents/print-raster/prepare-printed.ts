import { createHash } from 'node:crypto';
import { piecesOf, writeDocumentParts } from '../document-files.ts';
import type { DocumentJobs, PreparedPages } from '../jobs.ts';
import { printedTooLarge } from '../limits.ts';
import { rasterToPdf } from './raster-to-pdf.ts';

/**
 * Makes a PDF of pages that a computer drew for a printer and writes it, not yet flushed. Printed pages are much larger than what
 * is made of them: neither is ever whole in memory. `onPage` is called for each page that is done. Throws a DocumentError.
 */
export async function preparePrinted(
  { raster, format, outputPath, maxBytes, seal }: DocumentJobs['preparePrinted']['task'],
  onPage: () => void,
): Promise<PreparedPages> {
  const hash = createHash('sha256');
  let sizeBytes = 0;
  let pages = 0;
  await writeDocumentParts(outputPath, seal, async (write) => {
    const writeBounded = (part: Uint8Array): void => {
      sizeBytes += part.length;
      if (sizeBytes > maxBytes) throw printedTooLarge(maxBytes);
      hash.update(part);
      write(part);
    };
    pages = await rasterToPdf(piecesOf(raster), format, { write: writeBounded, onPage });
  });
  return { sha256: hash.digest('hex'), sizeBytes, pages };
}
