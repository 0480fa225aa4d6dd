import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDocuments, type Documents, type DocumentToEncode } from '../../server/documents/documents.ts';
import { encodeT6 } from '../../server/documents/t4/encode-t6.ts';
import type { OneBitPage } from '../../server/documents/t4/one-bit-page.ts';
import { receivedPdf } from '../fixtures/damage-levels.ts';
import { denseFile, drawnPages, messageIdOf } from '../fixtures/encoded-message.ts';
import { drawingPages, photoPdf } from '../fixtures/make-drawings.ts';
import { textPdf } from '../fixtures/make-hostile-pdfs.ts';
import { ordinaryPage } from '../fixtures/ordinary-pages.ts';
import { processorMs } from './child.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';

const ROUNDS = 5;
/** Bytes of a document that fills 10 data pages but for a few hundred bytes; a parity page comes to them. */
const DOCUMENT_BYTES = 10 * 24_970;
const plain = { headerLine: null, cleanGreys: false, resolution: 'fine' } as const;
/** Pages of a fax that are all looked at. */
const LOOKED = 4;

/** Processor time of this process and of that of documents. */
async function processorOf(work: () => Promise<unknown>): Promise<number> {
  const before = processorMs();
  await work();
  return processorMs() - before;
}

interface Prepared {
  document: DocumentToEncode;
  encoded: string;
  pages: number;
  dataPages: number;
  sealedBytes: number;
  tiff: string;
  ordinary: { name: string; path: string }[];
}

async function prepare(documents: Documents, folder: string): Promise<Prepared> {
  const write = (name: string, bytes: Uint8Array): string => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  };
  const document: DocumentToEncode = {
    documentPath: write('original.pdf', denseFile(DOCUMENT_BYTES, 1)),
    name: 'original.pdf',
    mediaType: 'application/pdf',
    key: null,
    paper: 'letter',
  };
  const encoded = join(folder, 'encoded.pdf');
  const counts = await encode(documents, document, encoded);
  const tiff = join(folder, 'encoded.tif');
  await documents.rasterToTiff(encoded, tiff, plain);
  const received = (kind: number): Buffer =>
    receivedPdf(Array.from({ length: LOOKED }, (_, i) => ordinaryPage(kind + 7 * i)));
  const photo = photoPdf();
  return {
    document,
    encoded,
    tiff,
    ...counts,
    ordinary: [
      { name: 'letters', path: write('letters.pdf', received(0)) },
      { name: 'forms', path: write('forms.pdf', received(1)) },
      { name: 'screens', path: write('screens.pdf', received(4)) },
      { name: 'text', path: write('text.pdf', textPdf(LOOKED)) },
      { name: 'plans', path: write('plans.pdf', drawingPages(LOOKED)) },
      { name: 'a photograph', path: write('photo.pdf', photo) },
    ],
  };
}

const encode = async (documents: Documents, document: DocumentToEncode, path: string) =>
  await documents.encodePages(document, path, {
    messageId: messageIdOf(1),
    words: { sender: 'Lakeside Clinic' },
    cap: 60,
  });

/** A time, held to its bar in ms and compared with drawing an encoded page for the line in the same round. */
function timeFigures(
  name: string,
  times: readonly number[],
  reference: readonly number[],
  bars: { ms: number; ratio: number },
): Figure[] {
  const detail = `${median(times).toFixed(0)} ms of processor time for a page, drawing it for the line ${median(reference).toFixed(0)} ms`;
  return [
    { name, ratio: Number(median(times).toFixed(0)), bar: bars.ms, atMost: true, unit: 'ms', detail },
    {
      name: `${name}, of drawing a page`,
      ratio: ratioOf(times, reference),
      bar: bars.ratio,
      atMost: true,
      unit: 'x',
      detail: '',
    },
  ];
}

/** A full page without words. */
function fullPage(): OneBitPage {
  return drawnPages(denseFile(DOCUMENT_BYTES, 1))[0]!;
}

/** Takes the figures of encoded pages. */
export async function run(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-encoded-'));
  const documents = createDocuments({ threads: 1, folders: [folder] });
  try {
    const { document, encoded, pages, dataPages, sealedBytes, tiff, ordinary } = await prepare(
      documents,
      folder,
    );
    const output = join(folder, 'output');
    const look = (path: string): Promise<unknown> =>
      documents.decodePages(path, output, { keys: [], maxBytes: 1e7 });
    const measurements = [
      async () => (await processorOf(() => documents.rasterToTiff(encoded, output, plain))) / pages,
      async () => (await processorOf(() => encode(documents, document, output))) / pages,
      async () => (await processorOf(() => look(encoded))) / dataPages,
      ...ordinary.map(
        ({ name, path }) =>
          async () =>
            (await processorOf(() => look(path))) / (name === 'a photograph' ? 1 : LOOKED),
      ),
    ];
    const [raster = [], encoding = [], decoding = [], ...looking] = await measureInTurns(
      ROUNDS,
      measurements,
    );
    const netBytes = Math.floor(sealedBytes / dataPages);
    return [
      {
        name: 'bytes on a Letter page',
        ratio: netBytes,
        bar: 24_000,
        unit: 'bytes',
        detail: `${dataPages} pages`,
      },
      {
        name: 'bytes on the line for a byte',
        ratio: Number((encodeT6(fullPage()).length / netBytes).toFixed(2)),
        bar: 5.2,
        atMost: true,
        unit: 'T.6 bytes',
        detail: `the dots of a full page; with the words of all ${pages} pages ${(statSync(tiff).size / pages / netBytes).toFixed(2)}`,
      },
      ...timeFigures('encode', encoding, raster, { ms: 100, ratio: 1 }),
      ...timeFigures('decode', decoding, raster, { ms: 700, ratio: 3 }),
      ...ordinary.flatMap(({ name }, i) =>
        timeFigures(`look at ${name}`, looking[i] ?? [], raster, { ms: 200, ratio: 3 }),
      ),
    ];
  } finally {
    await documents.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
