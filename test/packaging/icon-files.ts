import sharp from 'sharp';
import type { Bitmap } from '../../scripts/icons/rasterize.ts';

/** A picture in a container, and what the container says of it. */
export interface Part {
  readonly type: string;
  readonly bitmap: Bitmap;
}

/** Reads PNG, .ico and .icns files; throws when lengths, offsets or sizes do not fit. */
export async function readIcon(path: string, file: Buffer): Promise<Part[]> {
  if (path.endsWith('.ico')) return await readIco(file);
  if (path.endsWith('.icns')) return await readIcns(file);
  return [{ type: 'png', bitmap: await readPng(file) }];
}

async function readPng(file: Buffer): Promise<Bitmap> {
  const { data, info } = await sharp(file).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  if (info.width !== info.height) throw new Error(`${info.width} by ${info.height} is no square`);
  return { size: info.width, rgba: data };
}

async function readIco(file: Buffer): Promise<Part[]> {
  if (file.readUInt32LE(0) !== 0x0001_0000) throw new Error('the file is no icon');
  const count = file.readUInt16LE(4);
  let expected = 6 + 16 * count;
  const parts: Part[] = [];
  for (let at = 6; at < 6 + 16 * count; at += 16) {
    const size = file.readUInt8(at) || 256;
    const [length, offset] = [file.readUInt32LE(at + 8), file.readUInt32LE(at + 12)];
    if (offset !== expected) throw new Error(`the picture of ${size} begins elsewhere`);
    expected += length;
    const content = file.subarray(offset, offset + length);
    const bitmap = content[0] === 0x89 ? await readPng(content) : readDib(content);
    if (bitmap.size !== size) throw new Error(`the picture of ${size} has ${bitmap.size}`);
    parts.push({ type: String(size), bitmap });
  }
  if (expected !== file.length) throw new Error('something follows the last picture');
  return parts;
}

function readDib(content: Buffer): Bitmap {
  const size = content.readInt32LE(4);
  const maskRow = Math.ceil(size / 32) * 4;
  if (content.readInt32LE(8) !== size * 2 || content.length !== 40 + size * size * 4 + maskRow * size)
    throw new Error(`the bitmap of ${size} has another length`);
  const rgba = Buffer.alloc(size * size * 4);
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) {
      const from = 40 + ((size - 1 - y) * size + x) * 4;
      const [blue = 0, green = 0, red = 0, alpha = 0] = content.subarray(from, from + 4);
      rgba.set([red, green, blue, alpha], (y * size + x) * 4);
    }
  }
  return { size, rgba };
}

async function readIcns(file: Buffer): Promise<Part[]> {
  if (file.toString('latin1', 0, 4) !== 'icns' || file.readUInt32BE(4) !== file.length)
    throw new Error('the file is no icon');
  const parts: Part[] = [];
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const type = file.toString('latin1', at, at + 4);
    const content = file.subarray(at + 8, at + file.readUInt32BE(at + 4));
    const packed = content.toString('latin1', 0, 4) === 'ARGB';
    parts.push({ type, bitmap: packed ? unpack(content.subarray(4)) : await readPng(content) });
  }
  return parts;
}

function unpack(content: Buffer): Bitmap {
  const bytes: number[] = [];
  for (let at = 0; at < content.length; ) {
    const code = content[at++] ?? 0;
    if (code < 128) bytes.push(...content.subarray(at, at + code + 1));
    else bytes.push(...Array.from({ length: code - 125 }, () => content[at] ?? 0));
    at += code < 128 ? code + 1 : 1;
  }
  const pixels = bytes.length / 4;
  const rgba = Buffer.alloc(bytes.length);
  // The planes come as alpha, red, green, blue.
  for (let pixel = 0; pixel < pixels; pixel++) {
    for (let channel = 0; channel < 4; channel++)
      rgba[pixel * 4 + channel] = bytes[((channel + 1) % 4) * pixels + pixel] ?? 0;
  }
  return { size: Math.sqrt(pixels), rgba };
}
