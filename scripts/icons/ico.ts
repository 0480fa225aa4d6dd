import { type Bitmap, pngOf } from './rasterize.ts';

const HEADER = 6;
const ENTRY = 16;
const BITMAP_HEADER = 40;
/** From this size on the picture is a PNG; smaller ones are bitmaps, which every Windows program reads. */
const PNG_MIN_SIZE = 256;

/** A Windows icon file of the pictures: at most 256 pixels each, 32 bits a pixel. */
export async function icoOf(bitmaps: Bitmap[]): Promise<Buffer> {
  const images: Buffer[] = [];
  for (const it of bitmaps) images.push(it.size >= PNG_MIN_SIZE ? await pngOf(it) : bitmapOf(it));
  const directory = Buffer.alloc(HEADER + ENTRY * bitmaps.length);
  directory.writeUInt16LE(1, 2);
  directory.writeUInt16LE(bitmaps.length, 4);
  let offset = directory.length;
  for (const [index, { size }] of bitmaps.entries()) {
    const at = HEADER + ENTRY * index;
    // One byte each for width and height: 0 stands for 256.
    directory.writeUInt8(size % 256, at);
    directory.writeUInt8(size % 256, at + 1);
    directory.writeUInt16LE(1, at + 4);
    directory.writeUInt16LE(32, at + 6);
    directory.writeUInt32LE(images[index]?.length ?? 0, at + 8);
    directory.writeUInt32LE(offset, at + 12);
    offset += images[index]?.length ?? 0;
  }
  return Buffer.concat([directory, ...images]);
}

/** A device-independent bitmap as it stands in icon files: BGRA from the lowest row up, then one bit a pixel for the mask. */
function bitmapOf({ size, rgba }: Bitmap): Buffer {
  const maskRow = Math.ceil(size / 32) * 4;
  const header = Buffer.alloc(BITMAP_HEADER);
  header.writeUInt32LE(BITMAP_HEADER, 0);
  header.writeInt32LE(size, 4);
  // The height counts the mask too.
  header.writeInt32LE(size * 2, 8);
  header.writeUInt16LE(1, 12);
  header.writeUInt16LE(32, 14);
  const pixels = Buffer.alloc(size * size * 4);
  const mask = Buffer.alloc(maskRow * size);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = (y * size + x) * 4;
      const row = size - 1 - y;
      const to = (row * size + x) * 4;
      const [red = 0, green = 0, blue = 0, alpha = 0] = rgba.subarray(from, from + 4);
      pixels.set([blue, green, red, alpha], to);
      const byte = row * maskRow + (x >> 3);
      if (alpha === 0) mask[byte] = (mask[byte] ?? 0) | (0x80 >> (x & 7));
    }
  }
  return Buffer.concat([header, pixels, mask]);
}
