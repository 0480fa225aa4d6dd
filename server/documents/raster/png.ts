import { crc32, deflateSync } from 'node:zlib';
import type { OneBitPage } from '../t4/one-bit-page.ts';
import type { GreyPage } from './threshold.ts';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Repeated white rows shrink well at once; higher levels take four times as long for a tenth less. */
const level = 2;

/** A black and white page as a PNG of one bit a pixel. */
export function oneBitPng(page: OneBitPage): Buffer {
  const inverted = page.rows.map((byte) => ~byte);
  return png(page.width, page.height, 1, inverted, page.stride);
}

/** A grey page as a PNG of eight bits a pixel. */
export function greyPng(page: GreyPage): Buffer {
  return png(page.width, page.height, 8, page.pixels, page.width);
}

function png(width: number, height: number, bits: number, rows: Uint8Array, stride: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bits, 0, 0, 0, 0], 8);
  const filtered = new Uint8Array((stride + 1) * height);
  for (let y = 0; y < height; y++)
    filtered.set(rows.subarray(y * stride, (y + 1) * stride), y * (stride + 1) + 1);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(filtered, { level })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  framed.set(body, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
