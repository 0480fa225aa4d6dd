import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { largeScan } from './large-scan.ts';
import { Load } from './load.ts';

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
      await measureAccepting(sides, letter, { rounds: 30, note: '50 KB' }),
      await measureAcceptingOneByOne(sides, scan, {
        rounds: 60,
        note: `${(scan.length / 1e6).toFixed(1)} MB`,
      }),
      await measureOpening(sides, letter, { rounds: 1_000, note: '50 KB' }),
      await measureOpening(sides, scan, { rounds: 200, note: `${(scan.length / 1e6).toFixed(1)} MB` }),
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

type Amount = { readonly rounds: number; readonly note: string };
/** Accepted side by side. */
const CONCURRENCY = 50;

async function measureAccepting(
  sides: readonly Side[],
  pdf: Buffer,
  { rounds, note }: Amount,
): Promise<Figure> {
  const fires = sides.map(({ load, key }) => {
    const shot = faxRequest(pdf, key, { different: true });
    return () => load.sendAll(CONCURRENCY, shot);
  });
  return compare(fires, { name: 'accepting a fax, encrypted', rounds, note });
}

/** A large document goes to the disk on its way; several at once wait for their turn, which is not measured here. */
async function measureAcceptingOneByOne(
  sides: readonly Side[],
  pdf: Buffer,
  { rounds, note }: Amount,
): Promise<Figure> {
  const fires = sides.map(({ load, key }) => {
    const shot = faxRequest(pdf, key);
    return () => measureRate(() => load.sendOne(shot));
  });
  return compare(fires, { name: 'accepting a fax, encrypted', rounds, note });
}

async function measureOpening(
  sides: readonly Side[],
  pdf: Buffer,
  { rounds, note }: Amount,
): Promise<Figure> {
  const fires = await Promise.all(
    sides.map(async ({ load, key }) => {
      const { id } = JSON.parse((await load.sendOne(faxRequest(pdf, key))).toString()) as { id: string };
      const headers = { 'X-API-Key': BENCH_KEY };
      const shot = { method: 'GET', path: `/fax/${id}/document`, headers, expect: 200 };
      return () => measureRate(() => load.sendOne(shot));
    }),
  );
  return compare(fires, { name: 'opening a document, encrypted', rounds, note });
}

/** Returns how often the work can run per second. */
async function measureRate(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return 1000 / (performance.now() - began);
}

/** In turns as short as can be, each side first for half of them: what the machine does beside it meets both alike. */
async function compare(
  fires: readonly (() => Promise<number>)[],
  { name, rounds, note }: { name: string; rounds: number; note: string },
): Promise<Figure> {
  for (const fire of fires) await fire();
  const [plain = [], sealed = []] = await measureInTurns(rounds / 2, fires);
  const [sealedFirst = [], plainSecond = []] = await measureInTurns(rounds / 2, fires.toReversed());
  const speeds = { plain: [...plain, ...plainSecond], sealed: [...sealed, ...sealedFirst] };
  const detail = `${note}; ${median(speeds.sealed).toFixed(0)}/s, plain ${median(speeds.plain).toFixed(0)}/s`;
  return {
    name,
    ratio: ratioOf(speeds.sealed, speeds.plain),
    bar: BAR,
    unit: 'of the speed without',
    detail,
  };
}
