import { DocumentError } from '../document-error.ts';
import type { PacketSheet } from '../packet/packet-sheet.ts';
import type { PdfiumEngine } from './engine.ts';
import { savePdf } from './merge-pdfs.ts';
import { type OpenedPdf, openPdf } from './opened-pdf.ts';

/** FLAT_PRINT: form fields and stamps become part of the page as they are printed. */
const flatPrint = 1;
/** A page and its number, one above the other. Their places are set afterwards. */
const pairWidth = 1000;
const pairHeight = 2000;
const matrixValues = 6;
const valueBytes = 4;

/** Collects the pages of a packet in a document of the engine. Calls belong under a guard. */
export function createPacketPages(engine: PdfiumEngine): PacketPages {
  return new PacketPages(engine);
}

export type { PacketPages };

class PacketPages implements Disposable {
  readonly #engine: PdfiumEngine;
  readonly #handle: number;
  #pages = 0;

  constructor(engine: PdfiumEngine) {
    this.#engine = engine;
    this.#handle = engine.lib.FPDF_CreateNewDocument();
  }

  /** Adds all pages of a PDF and returns the number of the first one, counted from 1. */
  add({ handle, pageCount }: OpenedPdf): number {
    if (!this.#engine.lib.FPDF_ImportPages(this.#handle, handle, '', this.#pages)) throw notJoined();
    const first = this.#pages + 1;
    this.#pages += pageCount;
    return first;
  }

  /**
   * Returns the packet: on each sheet one page (by its number here) and the page with its number. Fonts and pictures
   * that pages share are in it once. `onPage` is called for each page that is done.
   */
  join(
    sheets: readonly { sheet: Omit<PacketSheet, 'number'>; page: number; numberPage: number }[],
    onPage: () => void,
  ): Buffer {
    const { lib } = this.#engine;
    const pairs = lib.FPDF_CreateNewDocument();
    try {
      const order = sheets.map(({ page, numberPage }) => `${page},${numberPage}`).join(',');
      if (!lib.FPDF_ImportPages(pairs, this.#handle, order, 0)) throw notJoined();
      const joined = lib.FPDF_ImportNPagesToOne(pairs, pairWidth, pairHeight, 1, 2);
      if (joined === 0) throw notJoined();
      try {
        for (const [index, { sheet }] of sheets.entries()) {
          this.#place(joined, index, sheet);
          onPage();
        }
        return savePdf(this.#engine, joined);
      } finally {
        if (!this.#engine.isBroken) lib.FPDF_CloseDocument(joined);
      }
    } finally {
      if (!this.#engine.isBroken) lib.FPDF_CloseDocument(pairs);
    }
  }

  /** Puts the page of a pair on its sheet, and its number above it. */
  #place(joined: number, index: number, sheet: Omit<PacketSheet, 'number'>): void {
    const { lib } = this.#engine;
    const page = lib.FPDF_LoadPage(joined, index);
    if (page === 0) throw notJoined();
    try {
      if (lib.FPDFPage_CountObjects(page) !== 2) throw notJoined();
      this.#setMatrix(lib.FPDFPage_GetObject(page, 0), [sheet.scale, 0, 0, sheet.scale, sheet.leftPt, 0]);
      this.#setMatrix(lib.FPDFPage_GetObject(page, 1), [1, 0, 0, 1, 0, 0]);
      lib.FPDFPage_SetMediaBox(page, 0, 0, sheet.widthPt, sheet.heightPt);
      if (!lib.FPDFPage_GenerateContent(page)) throw notJoined();
    } finally {
      if (!this.#engine.isBroken) lib.FPDF_ClosePage(page);
    }
  }

  #setMatrix(object: number, values: readonly number[]): void {
    this.#engine.withScratch(matrixValues * valueBytes, (pointer) => {
      const view = this.#engine.view();
      for (const [i, value] of values.entries()) view.setFloat32(pointer + i * valueBytes, value, true);
      if (!this.#engine.lib.FPDFPageObj_SetMatrix(object, pointer)) throw notJoined();
    });
  }

  [Symbol.dispose](): void {
    if (!this.#engine.isBroken) this.#engine.lib.FPDF_CloseDocument(this.#handle);
  }
}

/**
 * Opens a PDF whose form fields and stamps are part of its pages, as they are printed. Only what is open changes, not the
 * file.
 */
export function openFlattened(engine: PdfiumEngine, bytes: Uint8Array): OpenedPdf {
  const pdf = openPdf(engine, bytes);
  try {
    flattenPages(pdf);
    return pdf;
  } catch (error) {
    pdf[Symbol.dispose]();
    throw error;
  }
}

/** Makes the form fields and stamps of an opened PDF part of its pages. */
export function flattenPages(pdf: OpenedPdf): void {
  for (let index = 0; index < pdf.pageCount; index++)
    pdf.withPage(index, (page) => {
      if (pdf.engine.lib.FPDFPage_Flatten(page, flatPrint) === 0) throw notJoined();
    });
}

const notJoined = (): DocumentError =>
  new DocumentError('invalid', 'The PDF is damaged and cannot be joined with other documents.');
