import type { DesktopPaper } from '../../../shared/desktop.ts';
import { openPdf, type PdfDocument } from './pdf-document.ts';
import styles from './print-pdf.module.css';

/** As fine as office printers show it. */
const DOTS_PER_INCH = 200;
const POINTS_PER_INCH = 72;

/**
 * Prints a PDF: its pages are on the page, hidden, until they are printed, and only they are printed. Each requests
 * paper of its own size; a printer without it scales the page down, so that it never runs over two sheets.
 */
export async function printPdf(bytes: Uint8Array): Promise<void> {
  const pdf = await openPdf(bytes);
  const sheets = document.createElement('div');
  sheets.className = styles['sheets'] ?? '';
  const paperSizes = new PaperSizes();
  try {
    for (let page = 1; page <= pdf.numPages; page += 1) sheets.append(await sheetOf(pdf, page, paperSizes));
  } finally {
    await pdf.loadingTask.destroy();
  }
  paperSizes.apply();
  document.body.append(sheets);
  if (await printInWindow(paperSizes.first, () => remove(sheets, paperSizes))) return;
  window.addEventListener('afterprint', () => remove(sheets, paperSizes), { once: true });
  window.print();
}

/** Prints on the printer of this computer; returns false in a browser and where no printer is preferred. */
async function printInWindow(paper: DesktopPaper, onOver: () => void): Promise<boolean> {
  let isOver = true;
  try {
    isOver = (await window.faxdesk?.print?.(paper)) ?? false;
    return isOver;
  } finally {
    if (isOver) onOver();
  }
}

/** Style rules for the paper sizes of the pages, which are known only at the time of printing. */
class PaperSizes {
  readonly #rules = new CSSStyleSheet();
  /** Size of the first page, in points. */
  first: DesktopPaper = { width: 595, height: 842 };

  /** The name of the paper of this size, in points. */
  nameOf(width: number, height: number): string {
    const name = `paper-${width.toFixed()}-${height.toFixed()}`;
    const rule = `@page ${name} { margin: 0; size: ${width.toFixed()}pt ${height.toFixed()}pt; }`;
    if (this.#rules.cssRules.length === 0) this.first = { width, height };
    const isThere = [...this.#rules.cssRules].some((it) => it.cssText.startsWith(`@page ${name} `));
    if (!isThere) this.#rules.insertRule(rule);
    return name;
  }

  apply(): void {
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, this.#rules];
  }

  remove(): void {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((it) => it !== this.#rules);
  }
}

function remove(sheets: HTMLElement, paperSizes: PaperSizes): void {
  for (const image of sheets.querySelectorAll('img')) URL.revokeObjectURL(image.src);
  sheets.remove();
  paperSizes.remove();
}

async function sheetOf(pdf: PdfDocument, number: number, paperSizes: PaperSizes): Promise<HTMLImageElement> {
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
  const { width, height } = page.getViewport({ scale: 1 });
  image.style.setProperty('page', paperSizes.nameOf(width, height));
  image.style.width = `${width.toFixed()}pt`;
  image.style.height = `${height.toFixed()}pt`;
  return image;
}
