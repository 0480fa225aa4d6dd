import { PDFDocument } from 'pdf-lib';
import sharp from 'sharp';
import { textToPdf } from '../../server/documents/text/text-to-pdf.ts';
import { BENCH_KEY } from './bench-key.ts';
import type { Load, LoadRequest } from './load.ts';

export const LETTER_PAGES = 1;
const BYTES = 50_000;
const BOUNDARY = 'bench-boundary-3f9a';

/** A letter of one full page with its font and a picture in the letterhead: about 50 KB. */
export async function letterPdf(): Promise<Buffer> {
  const line = 'Dear colleague, the patient was referred to our department; please find the';
  const text = Array.from({ length: 45 }, (_, i) => `${i} ${line}`).join('\n');
  const pdf = await PDFDocument.load(textToPdf(Buffer.from(text)));
  const picture = await pdf.embedJpg(await noisePicture(BYTES - 8_000));
  pdf.getPage(0).drawImage(picture, { x: 400, y: 740, width: 150, height: 60 });
  return Buffer.from(await pdf.save());
}

/** A JPEG of about `bytes`, the same every time. */
async function noisePicture(bytes: number): Promise<Buffer> {
  const width = 400;
  const pixels = Buffer.alloc(width * width * 3);
  for (let i = 0, seed = 1; i < pixels.length; i += 1) {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    pixels[i] = seed >> 16;
  }
  for (let height = 8; ; height += 4) {
    const raw = { width, height, channels: 3 } as const;
    const jpeg = await sharp(pixels.subarray(0, width * height * 3), { raw })
      .jpeg({ quality: 70 })
      .toBuffer();
    if (jpeg.length >= bytes || height + 4 > width) return jpeg;
  }
}

/** Comment that a viewer skips; its digits make each document different. */
const NUMBERED = Buffer.from('\n% 00000000\n');

/** The request that sends `pdf` as a fax; `different` gives every request a document of its own. */
export function faxRequest(pdf: Buffer, key: string, { different = false } = {}): LoadRequest {
  const part = (head: string) => `--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n`;
  const body = Buffer.concat([
    Buffer.from(`${part('name="to"')}\r\n+12025550123\r\n`),
    Buffer.from(`${part('name="file"; filename="letter.pdf"')}Content-Type: application/pdf\r\n\r\n`),
    pdf,
    NUMBERED,
    Buffer.from(`\r\n--${BOUNDARY}--\r\n`),
  ]);
  const headers = { 'X-API-Key': key, 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };
  const shot = { method: 'POST', path: '/fax', headers, body, expect: 202 };
  return different ? { ...shot, variesAt: body.indexOf(NUMBERED) + NUMBERED.indexOf('0') } : shot;
}

/** Makes a key of the database that may send and read. */
export async function makeKey(load: Load): Promise<string> {
  const answer = await load.sendOne({
    method: 'POST',
    path: '/admin/api-keys',
    headers: { 'X-API-Key': BENCH_KEY, 'Content-Type': 'application/json' },
    body: Buffer.from(JSON.stringify({ scopes: ['fax:send', 'fax:read'] })),
    expect: 200,
  });
  return (JSON.parse(answer.toString()) as { token: string }).token;
}
