import { createEmbeddedFont, hex } from './embedded-font.ts';
import { number, type PdfWriter } from './pdf-writer.ts';
import { visualOrder } from './visual-order.ts';

/** Shown for a character that no shipped font has. */
const replacement = 0xfffd;

/**
 * Fonts for short texts of any script: what they lack is shown as a replacement mark. Arabic and Hebrew are shown from right
 * to left, with joined letters.
 */
export function createTextFonts(): TextFonts {
  return new TextFonts();
}

export type { TextFonts };

class TextFonts {
  readonly #fonts = [createEmbeddedFont('sans'), createEmbeddedFont('eastAsian')];

  /** Content operators that show `text` with its baseline at `x`, `y`, sizes in points. */
  show(text: string, x: number, y: number, size: number): string {
    const runs = this.#runs(text).map(({ font, glyphs }) => `/T${font} ${size} Tf <${glyphs}> Tj`);
    return `BT 1 0 0 1 ${number(x)} ${number(y)} Tm ${runs.join(' ')} ET`;
  }

  /** Width of `text` in points. */
  width(text: string, size: number): number {
    return [...visualOrder(text)].reduce(
      (sum, character) => sum + (this.#find(character).glyph.width * size) / 1000,
      0,
    );
  }

  /** Returns true when a font has the character. */
  has(character: string): boolean {
    const codePoint = character.codePointAt(0)!;
    return this.#fonts.some((font) => font.has(codePoint));
  }

  /** Writes the fonts and returns the `/Font` resources of the pages that use them. */
  write(writer: PdfWriter): string {
    const names = this.#fonts.flatMap((font, i) => (font.isUsed ? [`/T${i} ${font.write(writer)} 0 R`] : []));
    return `/Font << ${names.join(' ')} >>`;
  }

  #runs(text: string): { font: number; glyphs: string }[] {
    const runs: { font: number; glyphs: string }[] = [];
    for (const character of visualOrder(text.replace(/\s+/g, ' '))) {
      const { font, glyph } = this.#find(character);
      const last = runs.at(-1);
      if (last?.font === font) last.glyphs += hex(glyph.id);
      else runs.push({ font, glyphs: hex(glyph.id) });
    }
    return runs;
  }

  #find(character: string) {
    const codePoint = character.codePointAt(0)!;
    for (const wanted of [codePoint, replacement, 0x3f]) {
      for (const [font, embedded] of this.#fonts.entries()) {
        const glyph = embedded.glyph(wanted);
        if (glyph !== null) return { font, glyph };
      }
    }
    throw new Error('the shipped fonts have no question mark');
  }
}
