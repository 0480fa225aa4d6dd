import { encodeT6 } from '../t4/encode-t6.ts';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import { number, type PdfWriter } from './pdf-writer.ts';

/** T.6 data of a black and white picture; `blackIsOne` when the encoder's black stands for the picture's black. */
export interface T6Picture {
  width: number;
  height: number;
  data: Uint8Array;
  blackIsOne: boolean;
}

/** A box on a page in points, from the lower left corner. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Matrices that turn the unit square as the EXIF and TIFF orientations 1…8 ask. */
const orientationMatrices: Record<number, readonly [number, number, number, number, number, number]> = {
  1: [1, 0, 0, 1, 0, 0],
  2: [-1, 0, 0, 1, 1, 0],
  3: [-1, 0, 0, -1, 1, 1],
  4: [1, 0, 0, -1, 0, 1],
  5: [0, -1, -1, 0, 1, 1],
  6: [0, -1, 1, 0, 0, 1],
  7: [0, 1, 1, 0, 0, 0],
  8: [0, 1, -1, 0, 1, 0],
};

/** Writes a black and white picture as it was encoded and returns its object number. */
export function writeT6Picture(writer: PdfWriter, picture: T6Picture): number {
  const { width, height, data, blackIsOne } = picture;
  const parameters = `/K -1 /Columns ${width} /Rows ${height}${blackIsOne ? '' : ' /BlackIs1 true'}`;
  return writer.stream(
    `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /CCITTFaxDecode /DecodeParms << ${parameters} >>`,
    data,
  );
}

/** As {@link writeT6Picture} for pixels. */
export function writeOneBitPicture(writer: PdfWriter, page: OneBitPage): number {
  return writeT6Picture(writer, {
    width: page.width,
    height: page.height,
    data: encodeT6(page),
    blackIsOne: true,
  });
}

/** Adds a page that shows picture `id` in `box`, turned as `orientation` (1…8) says. */
export function addPicturePage(
  writer: PdfWriter,
  id: number,
  size: { widthPt: number; heightPt: number },
  box: Box,
  orientation = 1,
): void {
  const [a, b, c, d, e, f] = orientationMatrices[orientation] ?? [1, 0, 0, 1, 0, 0];
  const place = [box.width, 0, 0, box.height, box.x, box.y].map(number).join(' ');
  const turn = orientation === 1 ? '' : `${a} ${b} ${c} ${d} ${e} ${f} cm `;
  writer.addPage({
    ...size,
    resources: `/XObject << /P ${id} 0 R >>`,
    contents: `q ${place} cm ${turn}/P Do Q`,
  });
}
