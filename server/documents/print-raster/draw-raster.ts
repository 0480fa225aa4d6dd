import { readDocument } from '../document-files.ts';
import type { DocumentJobs, PrinterSheet } from '../jobs.ts';
import type { PdfiumEngine } from '../pdfium/engine.ts';
import { type OpenedPdf, openPdf } from '../pdfium/opened-pdf.ts';
import { walkPage } from '../pdfium/page-contents.ts';
import { withRenderedPage } from '../pdfium/render.ts';
import { toOneBit } from '../raster/greys.ts';
import type { GreyPage } from '../raster/threshold.ts';
import { packRows } from './pack-rows.ts';
import { chooseSheet, placeOnSheet } from './place-on-sheet.ts';
import { PWG_SYNC, pwgHeader } from './pwg-header.ts';

type Task = DocumentJobs['printRaster']['task'];

/** Bytes and milliseconds after which a part of a document goes to the printer: a few pages stay in memory, however many follow. */
const PART_BYTES = 2 * 1024 * 1024;
const PART_MS = 1_000;

/** Draws the pages of a PDF for a printer that takes pixels, from a page on, until there is enough for the connection. */
export async function drawPrintRaster(
  engine: PdfiumEngine,
  task: Task,
  onPage: () => void,
): Promise<DocumentJobs['printRaster']['result']> {
  const bytes = readDocument(task.pdfPath);
  return engine.guard(() => {
    using pdf = openPdf(engine, bytes);
    // All pages of a job are printed on the same paper: that of the first.
    const sheet = pdf.withPage(0, (page) => chooseSheet(task.printer.sheets, pdf.pageSize(page)));
    const parts: Buffer[] = task.fromPage === 1 ? [Buffer.from(PWG_SYNC)] : [];
    const start = performance.now();
    let drawnBytes = 0;
    let number = task.fromPage;
    while (number <= pdf.pageCount && drawnBytes < PART_BYTES && performance.now() - start < PART_MS) {
      const drawn = drawPage(pdf, number, sheet, task);
      parts.push(...drawn);
      for (const { length } of drawn) drawnBytes += length;
      number += 1;
      onPage();
    }
    return {
      part: Buffer.concat(parts),
      sheet: sheet.name,
      nextPage: number > pdf.pageCount ? null : number,
    };
  });
}

function drawPage(pdf: OpenedPdf, number: number, sheet: PrinterSheet, { printer }: Task): Buffer[] {
  return pdf.withPage(number - 1, (page) => {
    walkPage(pdf, page, number, { tinyPt: 0, checkFonts: false });
    const { sheet: pixels, ...place } = placeOnSheet(printer, sheet, pdf.pageSize(page));
    const { perInch, tones } = printer;
    const header = pwgHeader({ ...pixels, perInch, tones, sheet: sheet.name, pages: pdf.pageCount });
    // The tones are worked on eight pixels at a time.
    const drawnWidth = Math.ceil(pixels.width / 8) * 8;
    const placement = { ...place, lines: pixels.height, scale: 1 };
    const pack = (grey: GreyPage) => packTones(grey, pixels.width, tones);
    return [header, withRenderedPage(pdf, page, placement, pack, drawnWidth)];
  });
}

function packTones(grey: GreyPage, width: number, tones: Task['printer']['tones']): Buffer {
  const { height } = grey;
  if (tones === 'grey') return packRows({ rows: grey.pixels, stride: grey.width, lineBytes: width, height });
  const { rows, stride } = toOneBit(grey, { cleanGreys: false }).page;
  return packRows({ rows, stride, lineBytes: stride, height });
}
