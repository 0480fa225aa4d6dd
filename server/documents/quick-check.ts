import type { OfficeType } from '../../shared/document-types.ts';
import { contentOf } from './document-files.ts';
import type { DocumentJobs, DocumentSource, QuickCheck } from './jobs.ts';
import { mediaTypeOf } from './media-type.ts';
import { nameSourceInErrors } from './name-source.ts';
import { officeMissing } from './office/office-errors.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { countPages } from './prepare.ts';
import { textToPdf } from './text/text-to-pdf.ts';
import { isPage } from './tiff/page-description.ts';
import { damagedTiff, readDirectories } from './tiff/read-directories.ts';

/** Returns type and number of pages of each file. Does not open the pages of a PDF, which takes seconds for a long one. */
export async function quickCheck(
  engine: PdfiumEngine,
  { sources }: DocumentJobs['quickCheck']['task'],
): Promise<QuickCheck[]> {
  const results: QuickCheck[] = [];
  for (const source of sources) {
    const check = async (): Promise<QuickCheck> => checkOne(engine, source);
    results.push(await (sources.length === 1 ? check() : nameSourceInErrors(source, check)));
  }
  return results;
}

function checkOne(engine: PdfiumEngine, source: DocumentSource): QuickCheck {
  const mediaType = mediaTypeOf(source);
  const bytes = contentOf(source);
  switch (mediaType) {
    case 'application/pdf':
      return { mediaType: source.convertedFrom ?? mediaType, pages: pagesOfPdf(engine, bytes) };
    case 'text/plain':
      return { mediaType, pages: countPages(engine, textToPdf(bytes)) };
    case 'image/tiff':
      return { mediaType, pages: pagesOfTiff(bytes) };
    case 'image/png':
    case 'image/jpeg':
      return { mediaType, pages: 1 };
    default:
      throw officeMissing(mediaType satisfies OfficeType);
  }
}

function pagesOfPdf(engine: PdfiumEngine, bytes: Uint8Array): number {
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    return pdf.pageCount;
  });
}

function pagesOfTiff(bytes: Buffer): number {
  const pages = readDirectories(bytes).filter(isPage).length;
  if (pages === 0) throw damagedTiff();
  return pages;
}
