declare module 'fontkit' {
  export interface Glyph {
    id: number;
    advanceWidth: number;
  }
  export interface Subset {
    includeGlyph(glyph: Glyph): number;
    encode(): Uint8Array;
  }
  export interface Font {
    unitsPerEm: number;
    ascent: number;
    descent: number;
    bbox: { minX: number; minY: number; maxX: number; maxY: number };
    hasGlyphForCodePoint(codePoint: number): boolean;
    glyphForCodePoint(codePoint: number): Glyph;
    createSubset(): Subset;
  }
  export function create(bytes: Uint8Array): Font;
}
