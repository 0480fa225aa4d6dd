import { type Bitmap, pngOf } from './rasterize.ts';

/**
 * The parts of a macOS icon file: type, pixels, and whether the system expects a PNG or packed channels. Two types of one
 * size are the plain one and the double-density one of half the size.
 */
const PARTS = [
  { type: 'ic04', size: 16, form: 'channels' },
  { type: 'ic05', size: 32, form: 'channels' },
  { type: 'ic11', size: 32, form: 'png' },
  { type: 'ic12', size: 64, form: 'png' },
  { type: 'ic07', size: 128, form: 'png' },
  { type: 'ic13', size: 256, form: 'png' },
  { type: 'ic08', size: 256, form: 'png' },
  { type: 'ic14', size: 512, form: 'png' },
  { type: 'ic09', size: 512, form: 'png' },
  { type: 'ic10', size: 1024, form: 'png' },
] as const;

export const ICNS_SIZES: readonly number[] = [...new Set(PARTS.map(({ size }) => size))];

const CHUNK_HEADER = 8;
const MAX_RUN = 130;
const MIN_RUN = 3;
const MAX_LITERAL = 128;

/** A macOS icon file; a picture of each of {@link ICNS_SIZES} is needed. */
export async function icnsOf(bitmaps: Bitmap[]): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const { type, size, form } of PARTS) {
    const bitmap = bitmaps.find((it) => it.size === size);
    if (!bitmap) throw new Error(`A macOS icon needs a picture of ${size} pixels.`);
    parts.push(chunk(type, form === 'png' ? await pngOf(bitmap) : channelsOf(bitmap)));
  }
  return chunk('icns', Buffer.concat(parts));
}

/** The length in a chunk's header counts the header. */
function chunk(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(CHUNK_HEADER);
  header.write(type, 'latin1');
  header.writeUInt32BE(content.length + CHUNK_HEADER, 4);
  return Buffer.concat([header, content]);
}

/** Alpha, red, green and blue one after the other, each packed by runs. */
function channelsOf({ rgba }: Bitmap): Buffer {
  const packed = [3, 0, 1, 2].map((channel) => pack(rgba.filter((_, index) => index % 4 === channel)));
  return Buffer.concat([Buffer.from('ARGB', 'latin1'), ...packed]);
}

/**
 * A byte below 128 is the number of literal bytes that follow (less one), another one the number of times the next byte
 * is repeated.
 */
function pack(bytes: Uint8Array): Buffer {
  const packed: number[] = [];
  let literal: number[] = [];
  const endLiteral = () => {
    if (literal.length > 0) packed.push(literal.length - 1, ...literal);
    literal = [];
  };
  for (let at = 0; at < bytes.length; ) {
    const run = runAt(bytes, at);
    if (run >= MIN_RUN) {
      endLiteral();
      packed.push(run + 125, bytes[at] ?? 0);
    } else {
      literal.push(...bytes.subarray(at, at + run));
      if (literal.length >= MAX_LITERAL - 1) endLiteral();
    }
    at += run;
  }
  endLiteral();
  return Buffer.from(packed);
}

function runAt(bytes: Uint8Array, start: number): number {
  let end = start + 1;
  while (end < bytes.length && end - start < MAX_RUN && bytes[end] === bytes[start]) end++;
  return end - start;
}
