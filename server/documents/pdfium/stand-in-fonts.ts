import type { OpenedPdf } from './opened-pdf.ts';

/**
 * Finds text that PDFium would leave blank: its font is not embedded and the font put in its place has no outline for
 * a character. Made per page, because it reads the page's text.
 */
export function createStandInFonts(pdf: OpenedPdf, page: number): StandInFonts {
  return new StandInFonts(pdf, page);
}

export type { StandInFonts };

class StandInFonts implements Disposable {
  readonly #pdf: OpenedPdf;
  readonly #page: number;
  readonly #embedded = new Map<number, boolean>();
  readonly #drawable = new Map<number, boolean>();
  #textPage = 0;

  constructor(pdf: OpenedPdf, page: number) {
    this.#pdf = pdf;
    this.#page = page;
  }

  /** Returns true when a visible character of the text object would not be drawn. */
  leavesBlank(font: number, object: number): boolean {
    if (this.#isEmbedded(font)) return false;
    const text = this.#textOf(object);
    if (text.length === 0) return this.#isBlank(object);
    return [...text].some((character) => !isSpace(character) && !this.#isDrawable(font, character));
  }

  #isEmbedded(font: number): boolean {
    const known = this.#embedded.get(font) ?? this.#pdf.engine.lib.FPDFFont_GetIsEmbedded(font) === 1;
    this.#embedded.set(font, known);
    return known;
  }

  #isDrawable(font: number, character: string): boolean {
    const codePoint = character.codePointAt(0)!;
    const key = font * 0x110000 + codePoint;
    const { lib } = this.#pdf.engine;
    const known = this.#drawable.get(key) ?? lib.FPDFFont_GetGlyphPath(font, codePoint, 10) !== 0;
    this.#drawable.set(key, known);
    return known;
  }

  #textOf(object: number): string {
    const { engine } = this.#pdf;
    if (this.#textPage === 0) this.#textPage = engine.lib.FPDFText_LoadPage(this.#page);
    if (this.#textPage === 0) return '';
    const length = engine.lib.FPDFTextObj_GetText(object, this.#textPage, 0, 0);
    if (length <= 2) return '';
    return engine.withScratch(length, (pointer) => {
      engine.lib.FPDFTextObj_GetText(object, this.#textPage, pointer, length);
      return Buffer.from(engine.bytes(pointer, length - 2)).toString('utf16le');
    });
  }

  /** Draws the object alone and looks for ink; for text whose characters cannot be determined. */
  #isBlank(object: number): boolean {
    const { lib } = this.#pdf.engine;
    const bitmap = lib.FPDFTextObj_GetRenderedBitmap(this.#pdf.handle, this.#page, object, 1);
    if (bitmap === 0) return true;
    try {
      const length = lib.FPDFBitmap_GetStride(bitmap) * lib.FPDFBitmap_GetHeight(bitmap);
      return this.#pdf.engine.bytes(lib.FPDFBitmap_GetBuffer(bitmap), length).every((byte) => byte === 0);
    } finally {
      lib.FPDFBitmap_Destroy(bitmap);
    }
  }

  [Symbol.dispose](): void {
    if (this.#textPage !== 0 && !this.#pdf.engine.isBroken)
      this.#pdf.engine.lib.FPDFText_ClosePage(this.#textPage);
  }
}

function isSpace(character: string): boolean {
  return /^[\s\p{C}]$/u.test(character);
}
