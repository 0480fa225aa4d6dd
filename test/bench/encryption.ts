import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import { faxShot, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, inTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { largeScan } from './large-scan.ts';
import { Load } from './load.ts';

const ROUNDS = 11;
/** With documents encrypted the same takes at most 10 % longer. */
const BAR = 0.91;

/** Nothing is sent: faxes are held. */
const ACCOUNT = { FAX_BACKEND: 'cloudone', CLOUDONE_API_KEY: 'bench', CLOUDONE_API_SECRET: 'bench' };

interface Side {
  readonly child: Child<GatewayReady>;
  readonly load: Load;
  readonly key: string;
}

/** Accepting and opening documents with encryption on, against the same gateway with it off, in turns. */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const sides: Side[] = [];
  try {
    for (const on of [false, true]) sides.push(await openSide(join(folder, String(on)), on));
    const letter = await letterPdf();
    const scan = await largeScan(40);
    return [
      await accepting(sides, letter, { count: 100, note: '50 KB' }),
      await acceptingOneByOne(sides, scan, { count: 2, note: `${(scan.length / 1e6).toFixed(1)} MB` }),
      await opening(sides, letter, { count: 300, note: '50 KB' }),
      await opening(sides, scan, { count: 20, note: `${(scan.length / 1e6).toFixed(1)} MB` }),
    ];
  } finally {
    for (const { load, child } of sides) {
      load.close();
      await child.stop();
    }
    await rm(folder, { recursive: true, force: true });
  }
}

async function openSide(dataFolder: string, on: boolean): Promise<Side> {
  const environment = { ...ACCOUNT, FAX_DISABLED: 'true', ENCRYPT_DOCUMENTS: String(on) };
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  const load = new Load(child.ready.url);
  return { child, load, key: await makeKey(load) };
}

type Amount = { readonly count: number; readonly note: string };

async function accepting(sides: readonly Side[], pdf: Buffer, { count, note }: Amount): Promise<Figure> {
  const fires = sides.map(({ load, key }) => {
    const shot = faxShot(pdf, key, { different: true });
    return () => load.fire(count, shot);
  });
  return compare(fires, { name: 'accepting a fax, encrypted', note });
}

/** A large document goes to the disk on its way; several at once wait for their turn, which is not measured here. */
async function acceptingOneByOne(
  sides: readonly Side[],
  pdf: Buffer,
  { count, note }: Amount,
): Promise<Figure> {
  const fires = sides.map(({ load, key }) => {
    const shot = faxShot(pdf, key);
    return () => inSequence(count, () => load.one(shot));
  });
  return compare(fires, { name: 'accepting a fax, encrypted', note });
}

async function opening(sides: readonly Side[], pdf: Buffer, { count, note }: Amount): Promise<Figure> {
  const fires = await Promise.all(
    sides.map(async ({ load, key }) => {
      const { id } = JSON.parse((await load.one(faxShot(pdf, key))).toString()) as { id: string };
      const headers = { 'X-API-Key': BENCH_KEY };
      const shot = { method: 'GET', path: `/fax/${id}/document`, headers, expect: 200 };
      return () => inSequence(count, () => load.one(shot));
    }),
  );
  return compare(fires, { name: 'opening a document, encrypted', note });
}

/** How many a second. */
async function inSequence(count: number, work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  for (let time = 0; time < count; time += 1) await work();
  return (count * 1000) / (performance.now() - began);
}

async function compare(
  fires: readonly (() => Promise<number>)[],
  { name, note }: { name: string; note: string },
): Promise<Figure> {
  for (const fire of fires) await fire();
  const [plain = [], sealed = []] = await inTurns(ROUNDS, fires);
  const detail = `${note}; ${median(sealed).toFixed(0)}/s, plain ${median(plain).toFixed(0)}/s`;
  return { name, ratio: ratioOf(sealed, plain), bar: BAR, unit: 'of the speed without', detail };
}
