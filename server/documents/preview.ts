import { join } from 'node:path';
import { callSeconds } from './call-seconds.ts';
import { DocumentError } from './document-error.ts';
import { readDocument, writeDocument, writeFlushedDocument } from './document-files.ts';
import type { DocumentJobs, Preview, PreviewPage } from './jobs.ts';
import { maxEncodedBytes, tooComplex } from './limits.ts';
import type { PdfiumEngine } from './pdfium/engine.ts';
import { openPdf } from './pdfium/opened-pdf.ts';
import { notesOf } from './preview-notes.ts';
import { type FaxPage, faxPages } from './raster/fax-pages.ts';
import { faxWidth } from './raster/page-geometry.ts';
import { oneBitPng } from './raster/png.ts';
import { encodeT6 } from './t4/encode-t6.ts';
import type { OneBitPage } from './t4/one-bit-page.ts';
import { type EncodedPage, writeTiffF } from './tiff/write-tiff-f.ts';

/** Writes one PNG a page, as the far machine prints it. `onPage` is called when a page's file is there. */
export async function previewPages(
  engine: PdfiumEngine,
  task: DocumentJobs['preview']['task'],
  onPage: (page: PreviewPage) => void,
): Promise<Preview> {
  const bytes = readDocument(task.pdfPath);
  const preview: Preview = { pages: [], seconds: 0, notes: [] };
  const start = performance.now();
  using pdf = engine.guard(() => openPdf(engine, bytes));
  for await (const faxPage of faxPages(pdf, task.options, task.from)) {
    const name = `page-${String(faxPage.number).padStart(4, '0')}.png`;
    const pngPath = join(task.outputDirectory, name);
    writeDocument(pngPath, oneBitPng(faxPage.page), task.seal);
    const page = describe(faxPage, pngPath);
    preview.pages.push(page);
    preview.notes.push(...page.notes);
    onPage(page);
    if (task.maxMs !== null && performance.now() - start > task.maxMs) break;
  }
  preview.seconds = Math.round(callSeconds(preview.pages.map((page) => page.encodedBytes)));
  return preview;
}

/** Writes the same pages as a TIFF-F file. */
export async function rasterToTiff(
  engine: PdfiumEngine,
  task: DocumentJobs['rasterToTiff']['task'],
  onPage: () => void,
): Promise<{ pages: number }> {
  const bytes = readDocument(task.pdfPath);
  const standard = task.options.resolution === 'standard';
  const encoded: EncodedPage[] = [];
  let encodedBytes = 0;
  using pdf = engine.guard(() => openPdf(engine, bytes));
  for await (const { page } of faxPages(pdf, task.options)) {
    const sized = standard ? halveHeight(page) : page;
    const data = encodeT6(sized);
    encodedBytes += data.length;
    if (encodedBytes > maxEncodedBytes) throw new DocumentError('too_large', tooComplex);
    encoded.push({ height: sized.height, data });
    onPage();
  }
  await writeFlushedDocument(task.outputPath, writeTiffF(encoded, standard ? 98 : 196));
  return { pages: encoded.length };
}

function describe(page: FaxPage, pngPath: string): PreviewPage {
  const encodedBytes = encodeT6(page.page).length;
  return {
    number: page.number,
    widthPx: faxWidth,
    heightLines: page.page.height,
    encodedBytes,
    greyBytes: greyBytesOf(page, encodedBytes),
    pngPath,
    notes: notesOf(page),
  };
}

function greyBytesOf({ otherwise, greyShare }: FaxPage, encodedBytes: number): PreviewPage['greyBytes'] {
  if (otherwise === null) return null;
  const other = encodeT6(otherwise).length;
  return greyShare > 0 ? { clean: other, dithered: encodedBytes } : { clean: encodedBytes, dithered: other };
}

/** Two fine lines become one of standard resolution; ink in either is kept, so that thin rules survive. */
function halveHeight(page: OneBitPage): OneBitPage {
  const height = (page.height + 1) >> 1;
  const rows = new Uint8Array(page.stride * height);
  for (let y = 0; y < page.height; y++) {
    const from = y * page.stride;
    const to = (y >> 1) * page.stride;
    for (let i = 0; i < page.stride; i++) rows[to + i]! |= page.rows[from + i]!;
  }
  return { ...page, height, rows };
}
