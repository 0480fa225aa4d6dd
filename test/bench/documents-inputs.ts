import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Documents } from '../../server/documents/documents.ts';
import { createPdfWriter } from '../../server/documents/pdf/pdf-writer.ts';
import { addPicturePage } from '../../server/documents/pdf/picture-page.ts';
import { drawingPdf, photoPdf } from '../fixtures/make-drawings.ts';
import { referee } from '../fixtures/referees.ts';
import { seededRandom } from '../fixtures/seeded-random.ts';

/** The files that the figures are taken on, made anew for each run. */
export interface BenchInputs {
  text: string;
  scans: string;
  mixed: string;
  t6Tiff: string;
  t4Tiff: string;
}

const a4 = { widthPt: 595.28, heightPt: 841.89 };
const sentence = 'The quick brown fox jumps over the lazy dog and keeps on running, 0123456789.';

export async function makeInputs(documents: Documents, folder: string): Promise<BenchInputs> {
  const prepare = async (name: string, files: string[]): Promise<string> => {
    const sources = files.map((path) => ({ path, fileName: name, declaredType: null }));
    const output = join(folder, `${name}.pdf`);
    await documents.prepare(sources, output, { maxBytes: 1e9 });
    return output;
  };
  const write = (name: string, bytes: Uint8Array | string): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const text = await prepare('text', [write('text.txt', textPages(200))]);
  const mixed = await prepare(
    'mixed',
    Array.from({ length: 10 }, (_, i) => {
      if (i % 3 === 0) return write(`m${i}.pdf`, photoPdf());
      return i % 3 === 1
        ? write(`m${i}.pdf`, drawingPdf(a4.widthPt, a4.heightPt))
        : write(`m${i}.txt`, textPages(1));
    }),
  );
  const scans = write('scans.pdf', await scanPdf(documents, text));
  const t6Tiff = join(folder, 't6.tif');
  const hundred = await prepare('hundred', [write('hundred.txt', textPages(100))]);
  await documents.rasterToTiff(hundred, t6Tiff, { headerLine: null, cleanGreys: false, resolution: 'fine' });
  const t4Tiff = join(folder, 't4.tif');
  referee('tiffcp', ['-c', 'g3:2d:fill', '-f', 'lsb2msb', '-r', '100000', t6Tiff, t4Tiff]);
  return { text, scans, mixed, t6Tiff, t4Tiff };
}

function textPages(pages: number): string {
  return Array.from({ length: pages }, (_, page) =>
    Array.from(
      { length: 46 },
      (_, line) => `${String(page * 46 + line).padStart(6)} ${sentence.slice(0, 73)}`,
    ).join('\n'),
  ).join('\f');
}

/** Fifty pages over five different noisy grey scans of 300 per inch. */
async function scanPdf(documents: Documents, text: string): Promise<Buffer> {
  const random = seededRandom(7);
  const writer = createPdfWriter();
  const pictures: number[] = [];
  for (let page = 1; page <= 5; page++) {
    const [clean] = await documents.pagePictures(text, [page], 2480);
    const { data, info } = await sharp(clean ?? undefined)
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let i = 0; i < data.length; i++)
      data[i] = Math.max(0, Math.min(255, data[i]! * 0.92 + random() * 24 - 4));
    const raw = { width: info.width, height: info.height, channels: info.channels };
    const jpeg = await sharp(data, { raw }).toColourspace('b-w').jpeg({ quality: 75 }).toBuffer();
    pictures.push(
      writer.stream(
        `/Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /DCTDecode`,
        jpeg,
      ),
    );
  }
  for (let i = 0; i < 50; i++) {
    addPicturePage(writer, pictures[i % 5]!, a4, { x: 0, y: 0, width: a4.widthPt, height: a4.heightPt });
  }
  return writer.finish();
}
