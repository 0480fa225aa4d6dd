import { create, type Font, type Subset } from 'fontkit';
import { type ShippedFont, shippedFont } from '../fonts.ts';
import type { PdfWriter } from './pdf-writer.ts';

/** A character as it is written: glyph number in the subset and width in thousandths of the font size. */
export interface EmbeddedGlyph {
  id: number;
  width: number;
}

const names: Record<ShippedFont, string> = {
  sans: 'DejaVuSans',
  sansMono: 'DejaVuSansMono',
  eastAsian: 'DroidSansFallback',
};

const opened = new Map<ShippedFont, Font>();

function openFont(name: ShippedFont): Font {
  const font = opened.get(name) ?? create(shippedFont(name));
  opened.set(name, font);
  return font;
}

/** One shipped font in one file: collects the glyphs that are used, then writes them as a subset. */
export function createEmbeddedFont(name: ShippedFont): EmbeddedFont {
  return new EmbeddedFont(name);
}

export type { EmbeddedFont };

class EmbeddedFont {
  readonly #name: ShippedFont;
  readonly #font: Font;
  readonly #subset: Subset;
  readonly #glyphs = new Map<number, EmbeddedGlyph | null>();

  constructor(name: ShippedFont) {
    this.#name = name;
    this.#font = openFont(name);
    this.#subset = this.#font.createSubset();
  }

  get isUsed(): boolean {
    return [...this.#glyphs.values()].some((glyph) => glyph !== null);
  }

  /** The glyph of a character, or null when the font lacks it. */
  glyph(codePoint: number): EmbeddedGlyph | null {
    const known = this.#glyphs.get(codePoint);
    if (known !== undefined) return known;
    const found = this.#find(codePoint);
    this.#glyphs.set(codePoint, found);
    return found;
  }

  /** Returns true when the font has the character, without taking it into the subset. */
  has(codePoint: number): boolean {
    return this.#font.hasGlyphForCodePoint(codePoint);
  }

  #find(codePoint: number): EmbeddedGlyph | null {
    if (!this.#font.hasGlyphForCodePoint(codePoint)) return null;
    const glyph = this.#font.glyphForCodePoint(codePoint);
    return {
      id: this.#subset.includeGlyph(glyph),
      width: Math.round((glyph.advanceWidth * 1000) / this.#font.unitsPerEm),
    };
  }

  /** Writes the font and returns the number of its object, for a page's `/Font` resources. */
  write(writer: PdfWriter, id = writer.reserve()): number {
    const perEm = (value: number): number => Math.round((value * 1000) / this.#font.unitsPerEm);
    const { minX, minY, maxX, maxY } = this.#font.bbox;
    const name = `/FAXDSK+${names[this.#name]}`;
    const data = this.#subset.encode();
    const file = writer.deflated(`/Length1 ${data.length}`, data);
    const descriptor = writer.object(
      `<< /Type /FontDescriptor /FontName ${name} /Flags 4 /FontBBox [${[minX, minY, maxX, maxY].map(perEm).join(' ')}] /ItalicAngle 0 /Ascent ${perEm(this.#font.ascent)} /Descent ${perEm(this.#font.descent)} /CapHeight ${perEm(this.#font.ascent)} /StemV 80 /FontFile2 ${file} 0 R >>`,
    );
    const widths = this.#used().map(([, glyph]) => `${glyph.id} [${glyph.width}]`);
    const descendant = writer.object(
      `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} 0 R /CIDToGIDMap /Identity /W [${widths.join(' ')}] >>`,
    );
    const toUnicode = writer.deflated('', this.#unicodeMap());
    return writer.object(
      `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${descendant} 0 R] /ToUnicode ${toUnicode} 0 R >>`,
      id,
    );
  }

  #used(): [number, EmbeddedGlyph][] {
    return [...this.#glyphs].filter((entry): entry is [number, EmbeddedGlyph] => entry[1] !== null);
  }

  /** The map from glyphs back to text, so that the page can be searched and copied. */
  #unicodeMap(): string {
    const rows = this.#used().map(([codePoint, { id }]) => {
      const utf16 = Buffer.from(String.fromCodePoint(codePoint), 'utf16le').swap16().toString('hex');
      return `<${hex(id)}> <${utf16}>`;
    });
    const blocks: string[] = [];
    for (let i = 0; i < rows.length; i += 100) {
      const block = rows.slice(i, i + 100);
      blocks.push(`${block.length} beginbfchar\n${block.join('\n')}\nendbfchar`);
    }
    return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Faxdesk def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap end end`;
  }
}

/** A glyph number as it stands in a content stream. */
export function hex(glyphId: number): string {
  return glyphId.toString(16).padStart(4, '0');
}
