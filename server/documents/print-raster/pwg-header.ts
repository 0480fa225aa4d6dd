/** Positions of the words in the header of a page (PWG 5102.4, 4.3), as far as they are read or written. */
export const WORD = {
  xPerInch: 276,
  yPerInch: 280,
  copies: 340,
  pageWidthPt: 352,
  pageHeightPt: 356,
  width: 372,
  height: 376,
  bitsPerColor: 384,
  bitsPerPixel: 388,
  lineBytes: 392,
  colorOrder: 396,
  colorSpace: 400,
  colors: 420,
  pages: 452,
  acrossTransform: 456,
  feedTransform: 460,
} as const;

export const PWG_SYNC = 'RaS2';
export const PWG_HEADER_BYTES = 1796;
const SHEET_NAME_AT = 1732;
const SHEET_NAME_BYTES = 63;
/** Numbers of the color spaces that are written: sGray, and black. */
const SPACES = { grey: 18, 'black bits': 3 } as const;

/** A page that is drawn for a printer. */
interface DrawnPage {
  readonly width: number;
  readonly height: number;
  readonly perInch: number;
  readonly tones: keyof typeof SPACES;
  /** Name of the sheet (PWG 5101.1). */
  readonly sheet: string;
  /** Pages of the whole document. */
  readonly pages: number;
}

/** Returns the header of a page that is printed on one side of a sheet. */
export function pwgHeader({ width, height, perInch, tones, sheet, pages }: DrawnPage): Buffer {
  const bits = tones === 'grey' ? 8 : 1;
  const words: Readonly<Record<keyof typeof WORD, number>> = {
    xPerInch: perInch,
    yPerInch: perInch,
    copies: 1,
    pageWidthPt: Math.round((width * 72) / perInch),
    pageHeightPt: Math.round((height * 72) / perInch),
    width,
    height,
    bitsPerColor: bits,
    bitsPerPixel: bits,
    lineBytes: Math.ceil((width * bits) / 8),
    colorOrder: 0,
    colorSpace: SPACES[tones],
    colors: 1,
    pages,
    acrossTransform: 1,
    feedTransform: 1,
  };
  const header = Buffer.alloc(PWG_HEADER_BYTES);
  header.write('PwgRaster', 'latin1');
  for (const [name, at] of Object.entries(WORD)) header.writeUInt32BE(words[name as keyof typeof WORD], at);
  header.write(sheet.slice(0, SHEET_NAME_BYTES), SHEET_NAME_AT, 'latin1');
  return header;
}
