import { faxWidth } from '../raster/page-geometry.ts';

/** One page of a TIFF-F file: T.6 data of `height` lines of 1728 pixels. */
export interface EncodedPage {
  height: number;
  data: Uint8Array;
}

type Entry = [tag: number, type: 3 | 4 | 5, count: number, value: number];

/**
 * Writes a TIFF-F file (RFC 2306 profile F, T.6 data) as the telephone engine takes it: one strip a page, min is
 * white, 204 x 196 or 204 x 98 per inch. libspandsp refuses files without BitsPerSample or of another width.
 */
export function writeTiffF(pages: EncodedPage[], linesPerInch: 196 | 98): Uint8Array {
  const parts: Buffer[] = [Buffer.from([0x49, 0x49, 42, 0, 0, 0, 0, 0])];
  let offset = 8;
  let link = { part: parts[0]!, at: 4 };
  for (const [number, page] of pages.entries()) {
    const dataOffset = offset;
    const padded = Buffer.alloc(page.data.length + (page.data.length & 1));
    padded.set(page.data);
    const directoryOffset = dataOffset + padded.length;
    const directory = directoryOf(page, {
      number,
      total: pages.length,
      dataOffset,
      directoryOffset,
      linesPerInch,
    });
    link.part.writeUInt32LE(directoryOffset, link.at);
    link = { part: directory, at: directory.length - 20 };
    parts.push(padded, directory);
    offset = directoryOffset + directory.length;
  }
  return Buffer.concat(parts);
}

interface PageLayout {
  number: number;
  total: number;
  dataOffset: number;
  directoryOffset: number;
  linesPerInch: number;
}

/** The directory, the link to the next one, then the two resolutions. */
function directoryOf(page: EncodedPage, layout: PageLayout): Buffer {
  const entries = entriesOf(page, layout);
  const length = 2 + entries.length * 12 + 4;
  const buffer = Buffer.alloc(length + 16);
  buffer.writeUInt16LE(entries.length, 0);
  for (const [i, [tag, type, count, value]] of entries.entries()) {
    const at = 2 + i * 12;
    buffer.writeUInt16LE(tag, at);
    buffer.writeUInt16LE(type, at + 2);
    buffer.writeUInt32LE(count, at + 4);
    const stored = type === 5 ? layout.directoryOffset + length + value * 8 : value;
    buffer.writeUInt32LE(stored >>> 0, at + 8);
  }
  for (const [i, perInch] of [204, layout.linesPerInch].entries()) {
    buffer.writeUInt32LE(perInch, length + i * 8);
    buffer.writeUInt32LE(1, length + i * 8 + 4);
  }
  return buffer;
}

function entriesOf(page: EncodedPage, layout: PageLayout): Entry[] {
  return [
    [254, 4, 1, 2], // NewSubfileType: a page of several
    [256, 4, 1, faxWidth],
    [257, 4, 1, page.height],
    [258, 3, 1, 1], // BitsPerSample
    [259, 3, 1, 4], // Compression: T.6
    [262, 3, 1, 0], // Photometric: min is white
    [266, 3, 1, 1], // FillOrder: highest bit first
    [273, 4, 1, layout.dataOffset],
    [274, 3, 1, 1], // Orientation
    [277, 3, 1, 1], // SamplesPerPixel
    [278, 4, 1, page.height], // RowsPerStrip
    [279, 4, 1, page.data.length],
    [282, 5, 1, 0], // XResolution, the first of the two fractions
    [283, 5, 1, 1], // YResolution
    [293, 4, 1, 0], // T6Options
    [296, 3, 1, 2], // ResolutionUnit: inch
    [297, 3, 2, (layout.number & 0xffff) | (Math.min(layout.total, 0xffff) << 16)], // PageNumber
  ];
}
