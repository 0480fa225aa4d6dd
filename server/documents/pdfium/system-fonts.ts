import type { WrappedPdfiumModule } from '@embedpdf/pdfium';
import { type ShippedFont, shippedFont } from '../fonts.ts';

/**
 * Windows character set numbers that PDFium asks for. Fonts that a file names without embedding them are drawn with
 * ours where PDFium's built-in Latin faces lack the script; without this such text would be silently blank.
 */
const fontOfCharset = new Map<number, ShippedFont>([
  [128, 'eastAsian'], // Shift-JIS
  [134, 'eastAsian'], // GB 2312
  [136, 'eastAsian'], // Big5
  [161, 'sans'], // Greek
  [204, 'sans'], // Cyrillic
]);

const handles: ShippedFont[] = ['sans', 'sansMono', 'eastAsian'];

/** Part of an engine that receives fonts. */
interface FontTarget {
  readonly lib: WrappedPdfiumModule;
  allocate(size: number): number;
  view(): DataView;
  bytes(pointer: number, length: number): Uint8Array;
}

/** Fills a FPDF_SYSFONTINFO (version 1: eleven words) and hands it to PDFium. */
export function supplyFonts(engine: FontTarget): void {
  const { pdfium } = engine.lib;
  const nothing = pdfium.addFunction(() => {}, 'vi');
  const table = [
    1, // version
    nothing, // Release
    pdfium.addFunction(() => {}, 'vii'), // EnumFonts
    pdfium.addFunction(
      (_self: number, _weight: number, _italic: number, charset: number) =>
        handleOf(fontOfCharset.get(charset)),
      'iiiiiiii',
    ), // MapFont
    pdfium.addFunction(() => 0, 'iii'), // GetFont
    pdfium.addFunction(
      (_self: number, handle: number, tag: number, buffer: number, size: number) =>
        copyFont(engine, handle, tag, buffer, size),
      'iiiiii',
    ), // GetFontData
    pdfium.addFunction(() => 0, 'iiiii'), // GetFaceName
    pdfium.addFunction(() => 1, 'iii'), // GetFontCharset
    pdfium.addFunction(() => {}, 'vii'), // DeleteFont
  ];
  const pointer = engine.allocate(table.length * 4);
  const view = engine.view();
  for (const [i, word] of table.entries()) view.setUint32(pointer + i * 4, word, true);
  engine.lib.FPDF_SetSystemFontInfo(pointer);
}

function handleOf(font: ShippedFont | undefined): number {
  return font === undefined ? 0 : handles.indexOf(font) + 1;
}

/** Copies the whole file (tag 0) or one sfnt table into `buffer` when it is large enough; returns the size. */
function copyFont(engine: FontTarget, handle: number, tag: number, buffer: number, size: number): number {
  const name = handles[handle - 1];
  if (name === undefined) return 0;
  const data = tag === 0 ? shippedFont(name) : sfntTable(shippedFont(name), tag >>> 0);
  if (data === undefined) return 0;
  if (buffer !== 0 && size >= data.length) engine.bytes(buffer, data.length).set(data);
  return data.length;
}

function sfntTable(font: Buffer, tag: number): Buffer | undefined {
  const tables = font.readUInt16BE(4);
  for (let i = 0; i < tables; i++) {
    const at = 12 + i * 16;
    if (font.readUInt32BE(at) !== tag) continue;
    const offset = font.readUInt32BE(at + 8);
    return font.subarray(offset, offset + font.readUInt32BE(at + 12));
  }
  return undefined;
}
