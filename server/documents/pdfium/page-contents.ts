import { DocumentError } from '../document-error.ts';
import { maxFormDepth, maxPageObjects, maxPicturePixels, pictureTooLarge, tooComplex } from '../limits.ts';
import type { PdfiumEngine } from './engine.ts';
import type { OpenedPdf } from './opened-pdf.ts';
import { createStandInFonts, type StandInFonts } from './stand-in-fonts.ts';

/** FPDF_PAGEOBJ_TEXT, _IMAGE and _FORM. */
const textObject = 1;
const imageObject = 3;
const formObject = 5;

interface WalkOptions {
  tinyPt: number;
  checkFonts: boolean;
}

/** Findings from walking the objects of a page. */
interface PageContents {
  /** Visible pieces of text, and how many of them are lower than the limit given. */
  texts: number;
  tinyTexts: number;
  /** Of all pictures. */
  pixels: number;
}

/**
 * Looks at every object of a loaded page, also inside forms. Throws a DocumentError for what PDFium would leave blank:
 * pictures too large to decode and text in a font that is neither in the file nor shipped with us. Text lower than `tinyPt`
 * points is counted. `checkFonts` is off for documents that were checked when they were prepared: it costs 6 ms a page.
 */
export function walkPage(
  pdf: OpenedPdf,
  page: number,
  pageNumber: number,
  options: WalkOptions,
): PageContents {
  using standIns = createStandInFonts(pdf, page);
  return new Walk(pdf.engine, pageNumber, standIns, options).page(page);
}

class Walk {
  readonly #engine: PdfiumEngine;
  readonly #pageNumber: number;
  readonly #standIns: StandInFonts;
  #objects = 0;
  readonly #options: WalkOptions;
  #texts = 0;
  #tinyTexts = 0;
  #pixels = 0;

  constructor(engine: PdfiumEngine, pageNumber: number, standIns: StandInFonts, options: WalkOptions) {
    this.#options = options;
    this.#standIns = standIns;
    this.#engine = engine;
    this.#pageNumber = pageNumber;
  }

  page(page: number): PageContents {
    const { lib } = this.#engine;
    const count = lib.FPDFPage_CountObjects(page);
    if (count < 0) throw new DocumentError('invalid', `Page ${this.#pageNumber} of the PDF is damaged.`);
    for (let i = 0; i < count; i++) this.#object(lib.FPDFPage_GetObject(page, i), 1, 0);
    return { texts: this.#texts, tinyTexts: this.#tinyTexts, pixels: this.#pixels };
  }

  #object(object: number, scale: number, depth: number): void {
    const { lib } = this.#engine;
    if (++this.#objects > maxPageObjects || depth > maxFormDepth)
      throw new DocumentError('too_large', tooComplex);
    switch (lib.FPDFPageObj_GetType(object)) {
      case textObject:
        this.#text(object, scale);
        break;
      case imageObject:
        this.#image(object);
        break;
      case formObject: {
        const inner = scale * this.#verticalScale(object);
        const count = lib.FPDFFormObj_CountObjects(object);
        for (let i = 0; i < count; i++) this.#object(lib.FPDFFormObj_GetObject(object, i), inner, depth + 1);
        break;
      }
      default:
    }
  }

  #image(object: number): void {
    const pixels = this.#engine.withScratch(8, (pointer) => {
      if (!this.#engine.lib.FPDFImageObj_GetImagePixelSize(object, pointer, pointer + 4)) return 0;
      const view = this.#engine.view();
      return view.getUint32(pointer, true) * view.getUint32(pointer + 4, true);
    });
    if (pixels > maxPicturePixels) throw new DocumentError('too_large', pictureTooLarge);
    this.#pixels += pixels;
  }

  #text(object: number, scale: number): void {
    const { lib } = this.#engine;
    const invisible = lib.FPDFTextObj_GetTextRenderMode(object) === 3;
    if (invisible) return;
    if (this.#options.checkFonts) this.#font(lib.FPDFTextObj_GetFont(object), object);
    this.#texts++;
    const { tinyPt } = this.#options;
    if (tinyPt > 0 && this.#textHeight(object, scale) < tinyPt) this.#tinyTexts++;
  }

  /** Height of a piece of text on the page in points. */
  #textHeight(object: number, scale: number): number {
    const size = this.#engine.withScratch(4, (pointer) =>
      this.#engine.lib.FPDFTextObj_GetFontSize(object, pointer)
        ? this.#engine.view().getFloat32(pointer, true)
        : 0,
    );
    return Math.abs(size) * scale * this.#verticalScale(object);
  }

  #font(font: number, object: number): void {
    if (font === 0 || !this.#standIns.leavesBlank(font, object)) return;
    throw new DocumentError(
      'unsupported',
      `Page ${this.#pageNumber} uses the font "${this.#fontName(font)}", which is not in the file and cannot be replaced. Save the PDF with its fonts embedded.`,
    );
  }

  #fontName(font: number): string {
    return this.#engine.withScratch(256, (pointer) => {
      const length = Math.min(this.#engine.lib.FPDFFont_GetBaseFontName(font, pointer, 256), 256);
      const name = Buffer.from(this.#engine.bytes(pointer, Math.max(length - 1, 0))).toString('utf8');
      return name.replace(/[^\p{L}\p{N} +,_.-]/gu, '?');
    });
  }

  /** Returns the factor by which the object's matrix scales heights. */
  #verticalScale(object: number): number {
    return this.#engine.withScratch(24, (pointer) => {
      if (!this.#engine.lib.FPDFPageObj_GetMatrix(object, pointer)) return 1;
      const view = this.#engine.view();
      return Math.hypot(view.getFloat32(pointer + 8, true), view.getFloat32(pointer + 12, true));
    });
  }
}
