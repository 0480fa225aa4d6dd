import { DocumentError } from '../document-error.ts';
import { maxPicturePixels, pictureTooLarge } from '../limits.ts';
import { damagedTiff, type TiffDirectory } from './read-directories.ts';

/** TIFF compression numbers. */
export const compressions = { none: 1, rle: 2, t4: 3, t6: 4, packBits: 32773 } as const;

/** Storage format of a picture, with the defaults of TIFF 6.0 filled in. */
export interface TiffPage {
  index: number;
  width: number;
  height: number;
  oneBit: boolean;
  compression: number;
  blackIsZero: boolean;
  lowestBitFirst: boolean;
  twoDimensional: boolean;
  tiled: boolean;
  rowsPerStrip: number;
  strips: Buffer[];
  orientation: number;
  /** Size on paper in points. */
  widthPt: number;
  heightPt: number;
}

/** Reads how the picture of a directory is stored. Throws when its data lies outside the file. */
export function describePage(file: Buffer, directory: TiffDirectory): TiffPage {
  const width = directory.value(256, 0);
  const height = directory.value(257, 0);
  if (width < 1 || height < 1) throw damagedTiff();
  if (width * height > maxPicturePixels) throw new DocumentError('too_large', pictureTooLarge);
  const tiled = directory.has(322);
  return {
    index: directory.index,
    width,
    height,
    oneBit: directory.value(258, 1) === 1 && directory.value(277, 1) === 1 && directory.value(262, 0) <= 1,
    compression: directory.value(259, compressions.none),
    blackIsZero: directory.value(262, 0) === 1,
    lowestBitFirst: directory.value(266, 1) === 2,
    twoDimensional: (directory.value(292, 0) & 1) === 1,
    tiled,
    rowsPerStrip: Math.min(directory.value(278, height), height),
    strips: dataOf(file, directory, tiled),
    orientation: directory.value(274, 1),
    ...paperSize(directory, width, height),
  };
}

/** A reduced picture or a mask beside the page (NewSubfileType 1 and 4) is not a page. */
export function isPage(directory: TiffDirectory): boolean {
  return (directory.value(254, 0) & 5) === 0;
}

function dataOf(file: Buffer, directory: TiffDirectory, tiled: boolean): Buffer[] {
  const offsets = directory.values(tiled ? 324 : 273);
  const counts = directory.values(tiled ? 325 : 279);
  if (offsets.length === 0) throw damagedTiff();
  return offsets.map((offset, i) => {
    const count = counts[i] ?? (offsets.length === 1 ? file.length - offset : 0);
    if (count < 1 || offset + count > file.length) throw damagedTiff();
    return file.subarray(offset, offset + count);
  });
}

/** Paper size by tags 282, 283 and 296; without them a guess from the number of pixels. */
function paperSize(
  directory: TiffDirectory,
  width: number,
  height: number,
): { widthPt: number; heightPt: number } {
  const unit = directory.value(296, 2);
  const perInch = unit === 3 ? 2.54 : 1;
  const across = directory.value(282, 0) * perInch;
  const down = directory.value(283, 0) * perInch;
  const [x, y] =
    unit !== 1 && isDensity(across) && isDensity(down) ? [across, down] : guessDensity(width, height);
  return { widthPt: (width * 72) / x, heightPt: (height * 72) / y };
}

function isDensity(perInch: number): boolean {
  return perInch >= 20 && perInch <= 5000;
}

/** Fax widths mean 204 per inch, and few lines for the width mean the standard resolution; others fill 8.5 inches. */
function guessDensity(width: number, height: number): [number, number] {
  if (width === 1728 || width === 2048 || width === 2432) return [204, height < width * 0.85 ? 98 : 196];
  const perInch = Math.max(width / 8.5, height / 14, 72);
  return [perInch, perInch];
}
