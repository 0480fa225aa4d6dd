import { openPdf, type PdfDocument } from './pdf-document.ts';
import styles from './print-pdf.module.css';

/** As fine as office printers show it. */
const DOTS_PER_INCH = 200;
const POINTS_PER_INCH = 72;

/** Puts a PDF on paper: its pages stand in the page, unseen, until they are printed, and only they are printed. */
export async function printPdf(bytes: Uint8Array): Promise<void> {
  const pdf = await openPdf(bytes);
  const sheets = document.createElement('div');
  sheets.className = styles['sheets'] ?? '';
  try {
    for (let page = 1; page <= pdf.numPages; page += 1) sheets.append(await sheetOf(pdf, page));
  } finally {
    await pdf.loadingTask.destroy();
  }
  window.addEventListener('afterprint', () => remove(sheets), { once: true });
  document.body.append(sheets);
  window.print();
}

function remove(sheets: HTMLElement): void {
  for (const image of sheets.querySelectorAll('img')) URL.revokeObjectURL(image.src);
  sheets.remove();
}

async function sheetOf(pdf: PdfDocument, number: number): Promise<HTMLImageElement> {
  const page = await pdf.getPage(number);
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / POINTS_PER_INCH });
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(viewport.width);
  canvas.height = Math.round(viewport.height);
  await page.render({ canvas, viewport, intent: 'print' }).promise;
  const image = new Image();
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  image.src = URL.createObjectURL(blob ?? new Blob());
  await image.decode();
  return image;
}
