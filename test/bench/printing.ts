import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JOB_STATE } from '../../server/platform/ipp/codes.ts';
import { textPdf } from '../fixtures/long-pdf.ts';
import { longRaster, textPage } from '../fixtures/print-raster.ts';
import { freePort } from '../setup/free-port.ts';
import { printByIpp } from '../setup/ipp-client.ts';
import { startChild } from './child.ts';
import type { Figure } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { peakMb } from './process-resources.ts';

const [FEW, MANY] = [20, 200];

/** Documents that are printed, by the number of their pages. */
const KINDS: [name: string, make: (pages: number) => Buffer][] = [
  [
    'PWG raster in grey',
    (pages) => longRaster('pwg', textPage({ bitsPerPixel: 8, space: 18, perInch: 300 }), pages),
  ],
  [
    'PWG raster in bits',
    (pages) => longRaster('pwg', textPage({ bitsPerPixel: 1, space: 3, perInch: 300 }), pages),
  ],
  [
    'Apple raster',
    (pages) => longRaster('urf', textPage({ bitsPerPixel: 8, space: 0, perInch: 300 }), pages),
  ],
  ['PDF', textPdf],
];

interface Peaks {
  readonly gatewayMb: number;
  readonly documentsMb: number;
  readonly ms: number;
}

/** Measures the memory of the gateway and of the process of documents for print jobs of 200 pages, against those of 20. */
export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [name, make] of KINDS) {
    const document = make(MANY);
    const [few, many] = [await print(make(FEW)), await print(document)];
    const ratioOf = (part: 'gatewayMb' | 'documentsMb') => Number((many[part] / few[part]).toFixed(2));
    figures.push({
      name: `memory of the process of documents for ${MANY} pages as ${name}`,
      ratio: ratioOf('documentsMb'),
      bar: 1.3,
      atMost: true,
      unit: `of that for ${FEW} pages`,
      detail: `${many.documentsMb} MB, ${few.documentsMb} MB; ${(many.ms / 1_000).toFixed(1)} s, ${(few.ms / 1_000).toFixed(1)} s`,
    });
    figures.push({
      name: `memory of the gateway for ${MANY} pages as ${name}`,
      ratio: ratioOf('gatewayMb'),
      bar: 1.3,
      atMost: true,
      unit: `of that for ${FEW} pages`,
      detail: `${many.gatewayMb} MB, ${few.gatewayMb} MB; job of ${(document.length / 1e6).toFixed(1)} MB`,
    });
  }
  return figures;
}

/** Prints a document on a gateway of its own, and returns the most memory that its processes had. */
async function print(document: Buffer): Promise<Peaks> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const port = await freePort();
  const environment = { PRINT_TO_FAX: 'this_computer', PRINT_PORT: String(port) };
  const gateway = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  try {
    const began = performance.now();
    const { state, message } = await printByIpp(`ipp://127.0.0.1:${port}/ipp/print`, document);
    const ms = performance.now() - began;
    if (state !== JOB_STATE.completed) throw new Error(`not printed: ${message}`);
    const documentsBytes = await gateway.call<number>('documentsPeakBytes');
    return { gatewayMb: peakMb(gateway.pid) ?? 0, documentsMb: Math.round(documentsBytes / 1e6), ms };
  } finally {
    await gateway.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}
