import { DocumentError } from '../document-error.ts';
import { maxPages, tooManyPages } from '../limits.ts';
import type { PdfiumEngine } from './engine.ts';
import { type OpenedPdf, openPdf } from './opened-pdf.ts';

/** Puts the pages of several PDFs, in order, into one. Throws when one cannot be opened or the pages are too many. */
export function mergePdfs(engine: PdfiumEngine, files: Uint8Array[]): Buffer {
  const { lib } = engine;
  const merged = lib.FPDF_CreateNewDocument();
  try {
    let pages = 0;
    for (const file of files) {
      using source = openPdf(engine, file);
      if (pages + source.pageCount > maxPages) throw new DocumentError('too_large', tooManyPages());
      if (!lib.FPDF_ImportPages(merged, source.handle, '', pages)) {
        throw new DocumentError('invalid', 'The PDF is damaged and cannot be joined with other documents.');
      }
      pages += source.pageCount;
    }
    return savePdf(engine, merged);
  } finally {
    if (!engine.isBroken) lib.FPDF_CloseDocument(merged);
  }
}

/** The pages of a PDF from number `from` (counted from 1) on, as a PDF. Throws when it has fewer. */
export function pagesFrom(engine: PdfiumEngine, file: Uint8Array, from: number): Buffer {
  const { lib } = engine;
  const part = lib.FPDF_CreateNewDocument();
  try {
    using source = openPdf(engine, file);
    if (from > source.pageCount)
      throw new DocumentError('invalid', `The document has only ${source.pageCount} pages.`);
    if (!lib.FPDF_ImportPages(part, source.handle, `${from}-${source.pageCount}`, 0))
      throw new DocumentError('invalid', 'The PDF is damaged and cannot be divided.');
    return savePdf(engine, part);
  } finally {
    if (!engine.isBroken) lib.FPDF_CloseDocument(part);
  }
}

/** Returns the pages between two numbers (counted from 1, both included) of an opened PDF, as a PDF. */
export function pagesBetween(engine: PdfiumEngine, source: OpenedPdf, [from, to]: [number, number]): Buffer {
  const { lib } = engine;
  const part = lib.FPDF_CreateNewDocument();
  try {
    if (!lib.FPDF_ImportPages(part, source.handle, `${from}-${to}`, 0))
      throw new DocumentError('invalid', 'The PDF is damaged and cannot be divided.');
    return savePdf(engine, part);
  } finally {
    if (!engine.isBroken) lib.FPDF_CloseDocument(part);
  }
}

/** Returns a new document of the engine as a file. */
export function savePdf(engine: PdfiumEngine, document: number): Buffer {
  const { lib } = engine;
  const writer = lib.PDFiumExt_OpenFileWriter();
  try {
    lib.PDFiumExt_SaveAsCopy(document, writer);
    const size = lib.PDFiumExt_GetFileWriterSize(writer);
    return engine.withScratch(size, (pointer) => {
      lib.PDFiumExt_GetFileWriterData(writer, pointer, size);
      return Buffer.from(engine.bytes(pointer, size));
    });
  } finally {
    lib.PDFiumExt_CloseFileWriter(writer);
  }
}
