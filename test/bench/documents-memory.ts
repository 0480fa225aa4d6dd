import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  doubleFlate,
  manyStrokes,
  nestedForms,
  onePictureOnPages,
  selfCallingForm,
} from '../fixtures/make-hostile-pdfs.ts';
import { whitePages } from '../fixtures/make-tiffs.ts';
import { type Child, startChild } from './child.ts';
import { letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, median } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';
import { peakMb } from './process-resources.ts';

const ROUNDS = 5;
const SCANS = 10;
/** The letter comes when the scans are at work. */
const LETTER_DELAY_MS = 500;
const MAX_MB = 300;
const MEGABYTE = 1024 * 1024;

/**
 * Measures how long a letter waits behind the long documents of another caller, and the memory of the gateway for the
 * worst documents.
 */
export async function run(): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const { environment } = emulator.ready;
  const gateway = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  const load = new Load(gateway.ready.url);
  try {
    const [scanner, frontDesk] = [await makeKey(load), await makeKey(load)];
    const upload = (key: string, name: string, bytes: Uint8Array) =>
      send(gateway.ready.url, key, new File([new Uint8Array(bytes)], name));
    return [await measureFairness(upload, scanner, frontDesk), await measureWorst(gateway, upload, scanner)];
  } finally {
    load.close();
    await gateway.stop();
    await emulator.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

type Upload = (key: string, name: string, bytes: Uint8Array) => Promise<number>;

async function measureFairness(upload: Upload, scanner: string, frontDesk: string): Promise<Figure> {
  const [letter, scan] = [await letterPdf(), whitePages(1000)];
  const timed = async (work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    return performance.now() - began;
  };
  const [alone, behind, scans]: number[][] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    alone?.push(await timed(() => upload(frontDesk, 'letter.pdf', letter)));
    scans?.push(await timed(() => upload(scanner, 'scan.tif', scan)));
    const all = Array.from({ length: SCANS }, () => upload(scanner, 'scan.tif', scan));
    await pause(LETTER_DELAY_MS);
    behind?.push(await timed(() => upload(frontDesk, 'letter.pdf', letter)));
    await Promise.all(all);
  }
  const [a, b, s] = [median(alone ?? []), median(behind ?? []), median(scans ?? [])];
  return {
    name: 'a letter behind ten scans of another',
    ratio: Number((b / s).toFixed(2)),
    bar: 1.5,
    atMost: true,
    unit: 'of one scan',
    detail: `${b.toFixed(0)} ms, alone ${a.toFixed(0)} ms; a scan of 1,000 pages ${s.toFixed(0)} ms`,
  };
}

async function measureWorst(gateway: Child<GatewayReady>, upload: Upload, key: string): Promise<Figure> {
  const tabs = Buffer.alloc(24 * MEGABYTE, '\t');
  const line = Buffer.from(`${'\t'.repeat(19 * MEGABYTE)}x`);
  await Promise.all([tabs, tabs, line, line].map((bytes) => upload(key, 'tabs.txt', bytes)));
  const pdfs = [
    await manyStrokes(),
    await doubleFlate(),
    nestedForms(),
    selfCallingForm(),
    onePictureOnPages(300),
  ];
  await Promise.all(pdfs.map((bytes) => upload(key, 'hostile.pdf', bytes)));
  const scans = [whitePages(1000), whitePages(300, { width: 14_000, height: 13_600 })];
  await Promise.all([...scans, ...scans].map((bytes) => upload(key, 'scan.tif', bytes)));
  const peak = peakMb(gateway.pid) ?? 0;
  const ofDocuments = (await gateway.call<number>('documentsPeakBytes')) / 1e6;
  return {
    name: 'memory with the worst documents',
    ratio: Number((peak / MAX_MB).toFixed(2)),
    bar: 1,
    atMost: true,
    unit: `of ${MAX_MB} MB`,
    detail: `${peak} MB of the gateway, ${ofDocuments.toFixed(0)} MB of the process of documents`,
  };
}

async function send(url: string, key: string, file: File): Promise<number> {
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('file', file);
  const answer = await fetch(`${url}/fax`, { method: 'POST', headers: { 'X-API-Key': key }, body: form });
  await answer.text();
  if (![202, 413].includes(answer.status)) throw new Error(`${file.name}: ${answer.status}`);
  return answer.status;
}
