import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import type { FaxPreview } from '../../shared/api/outbound-shapes.ts';
import { drawingPages } from '../fixtures/make-drawings.ts';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import { type Figure, median } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { largeScan } from './large-scan.ts';

const PAGES = 200;
const ROUNDS = 3;
const BOUNDARY = 'bench-boundary-71c2';

type Preview = z.infer<typeof FaxPreview>;

interface Times {
  /** All from the end of the upload, in milliseconds. */
  counted: number;
  first: number;
  all: number;
}

/** A preview of 200 pages through the gateway, beside pdftoppm drawing the first page of the same file. */
export async function run(): Promise<Figure[]> {
  if (spawnSync('pdftoppm', ['-v']).error) throw new Error('the preview figures need pdftoppm');
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  try {
    const scans = await largeScan(PAGES);
    const drawings = drawingPages(PAGES);
    return [
      ...(await measure(folder, { what: 'scans', pdf: scans, wholly: true })),
      ...(await measure(folder, { what: 'dense drawings', pdf: drawings, wholly: false })),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  folder: string,
  { what, pdf, wholly }: { what: string; pdf: Buffer; wholly: boolean },
): Promise<Figure[]> {
  const file = join(folder, 'long.pdf');
  await writeFile(file, pdf);
  const dataFolder = await mkdtemp(join(folder, 'data-'));
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment: {} });
  try {
    const times: Times[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(await preview(child.ready.url, pdf, wholly && round === 0));
      theirs.push(measureReference(file, folder));
    }
    const reference = median(theirs);
    const figure = (name: string, ms: number, bar: number): Figure => ({
      name: `${name}, ${PAGES} ${what} (${(pdf.length / 1e6).toFixed(0)} MB)`,
      ratio: Number((ms / reference).toFixed(2)),
      bar,
      atMost: bar > 0,
      unit: 'of pdftoppm’s first page',
      detail: `${(ms / 1000).toFixed(2)} s after the upload, pdftoppm ${(reference / 1000).toFixed(2)} s`,
    });
    const first = median(times.map((one) => one.first));
    return [
      figure('pages counted', median(times.map((one) => one.counted)), 0),
      figure('first page', first, 1),
      ...(wholly ? [figure('all pages', times[0]?.all ?? Number.NaN, 0)] : []),
    ];
  } finally {
    await child.stop();
  }
}

/** As long as the far machine’s page: 204 x 196 per inch, grey. */
function measureReference(file: string, folder: string): number {
  const began = performance.now();
  const size = ['-rx', '204', '-ry', '196', '-gray', '-png'];
  const { status } = spawnSync('pdftoppm', ['-f', '1', '-l', '1', ...size, file, join(folder, 'theirs')]);
  if (status !== 0) throw new Error('pdftoppm failed');
  return performance.now() - began;
}

async function preview(url: string, pdf: Buffer, wholly: boolean): Promise<Times> {
  const { state, uploadedAt } = await upload(url, pdf);
  const counted = performance.now() - uploadedAt;
  const headers = { 'X-API-Key': BENCH_KEY };
  const address = `${url}/fax/preview/${state.preview_id}`;
  const page = await fetch(`${address}/1.png`, { headers });
  await page.arrayBuffer();
  if (page.status !== 200) throw new Error(`the first page: ${page.status}`);
  const first = performance.now() - uploadedAt;
  if (wholly) await waitUntilComplete(address, headers);
  const all = performance.now() - uploadedAt;
  await fetch(address, { method: 'DELETE', headers });
  return { counted, first, all };
}

async function waitUntilComplete(address: string, headers: Record<string, string>): Promise<void> {
  for (;;) {
    const { complete, problem } = (await (await fetch(address, { headers })).json()) as Preview;
    if (problem !== null) throw new Error(problem);
    if (complete) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The answer of an upload, and when its last byte was handed over. */
function upload(url: string, pdf: Buffer): Promise<{ state: Preview; uploadedAt: number }> {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="long.pdf"\r\nContent-Type: application/pdf\r\n\r\n`;
  const body = Buffer.concat([Buffer.from(head), pdf, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]);
  const headers = {
    'X-API-Key': BENCH_KEY,
    'Content-Type': `multipart/form-data; boundary=${BOUNDARY}`,
    'Content-Length': body.length,
    // A kept connection may be closed by the gateway just when it is used again.
    Connection: 'close',
  };
  return new Promise((resolve, reject) => {
    let uploadedAt = 0;
    const sent = request(`${url}/fax/preview?wait=false`, { method: 'POST', headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        if (response.statusCode === 200) resolve({ state: JSON.parse(text) as Preview, uploadedAt });
        else reject(new Error(`${response.statusCode} ${text}`));
      });
    });
    sent.on('error', reject);
    sent.on('finish', () => {
      uploadedAt = performance.now();
    });
    sent.end(body);
  });
}
