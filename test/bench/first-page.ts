import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { letterPdf } from './fax-upload.ts';
import { type Figure, median } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';

const ROUNDS = 7;
/** Time in which the first page stands on the screen after its files were added, in ms. */
const GOAL_MS = 300;

interface BenchFile {
  readonly name: string;
  readonly type: string;
  readonly bytes: Buffer;
}

/** The first page of what a front desk adds: a scan, a photo of a letter, several documents together. */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder: folder, environment: {} });
  try {
    const letter = { name: 'letter.pdf', type: 'application/pdf', bytes: await letterPdf() };
    const tiff = await scan();
    const picture = await photo();
    const text = { name: 'note.txt', type: 'text/plain', bytes: Buffer.from('Please call us back.\n') };
    const figures: Figure[] = [];
    for (const [what, files] of [
      ['a TIFF of 3 pages', [tiff]],
      ['a photo of 12 megapixels', [picture]],
      ['4 documents', [letter, tiff, picture, text]],
    ] as const)
      figures.push(await measure(child.ready.url, what, files));
    return figures;
  } finally {
    await child.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(url: string, what: string, files: readonly BenchFile[]): Promise<Figure> {
  // The first one starts the process that draws, as opening the Send screen does.
  await firstPage(url, files, -1);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await firstPage(url, files, round));
  const ms = median(times);
  const size = files.reduce((sum, { bytes }) => sum + bytes.length, 0) / 1e6;
  return {
    name: `first page of ${what} (${size.toFixed(1)} MB)`,
    ratio: Number((ms / GOAL_MS).toFixed(2)),
    bar: 1,
    atMost: true,
    unit: `of ${GOAL_MS} ms`,
    detail: `${ms.toFixed(0)} ms from the upload to the picture, between ${Math.min(...times).toFixed(0)} and ${Math.max(...times).toFixed(0)} ms`,
  };
}

/** Returns the time from the beginning of the upload until the picture of page 1 is there, in ms. */
async function firstPage(url: string, files: readonly BenchFile[], round: number): Promise<number> {
  const headers = { 'X-API-Key': BENCH_KEY };
  const form = new FormData();
  for (const { name, type, bytes } of files)
    form.append('file', new File([Uint8Array.from(bytes)], `${round} ${name}`, { type }));
  const began = performance.now();
  const answer = await fetch(`${url}/fax/preview?wait=false`, { method: 'POST', body: form, headers });
  if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
  const { preview_id } = (await answer.json()) as { preview_id: string };
  const page = await fetch(`${url}/fax/preview/${preview_id}/1.png`, { headers });
  await page.arrayBuffer();
  if (page.status !== 200) throw new Error(`the first page: ${page.status}`);
  const ms = performance.now() - began;
  await fetch(`${url}/fax/preview/${preview_id}`, { method: 'DELETE', headers });
  return ms;
}

/** Page of text as a picture. */
function page(width: number, height: number): Buffer {
  const lines = Array.from({ length: 40 }, (_, i) => {
    const y = Math.round((height / 44) * (i + 3));
    return `<text x="${width / 12}" y="${y}" font-size="${width / 48}">${i} Dear colleague, please find the referral of our patient below.</text>`;
  });
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#eee"/>${lines.join('')}</svg>`,
  );
}

/** A scan of three pages at 200 dpi in gray, as office scanners write it. */
async function scan(): Promise<BenchFile> {
  const [width, height] = [1700, 2200];
  const one = await sharp(page(width, height)).flatten().grayscale().raw().toBuffer();
  const raw = { width, height: 3 * height, channels: 1, pageHeight: height } as const;
  const bytes = await sharp(Buffer.concat([one, one, one]), { raw })
    .tiff({ compression: 'lzw' })
    .toBuffer();
  return { name: 'scan.tif', type: 'image/tiff', bytes };
}

/** A letter as a phone takes it. */
async function photo(): Promise<BenchFile> {
  const bytes = await sharp(page(3024, 4032)).flatten().jpeg({ quality: 88 }).toBuffer();
  return { name: 'photo.jpg', type: 'image/jpeg', bytes };
}
