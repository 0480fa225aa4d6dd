import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { faxRequest, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const ROUNDS = 11;
const REQUESTS = 200;
const WARM_UP = 5_000;

interface Side {
  child: Child<{ url: string }>;
  load: Load;
  key: string;
  stopped?: boolean;
}

/**
 * Accepting a 50 KB PDF over 8 connections, against the least that a durable acceptance can be on the same disk: the same
 * PDF for one recipient after another, of which the gateway remembers that it is good, and one that is new every time.
 */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const { environment } = emulator.ready;
  const pdf = await letterPdf();
  const size = `${(pdf.length / 1000).toFixed(0)} KB`;
  const bare = await bareSide(join(folder, 'bare'));
  let gateway: Side | undefined;
  try {
    gateway = await gatewaySide(join(folder, 'held'), { ...environment, FAX_DISABLED: 'true' });
    const same = await compare([bare, gateway], pdf, { name: 'accepting a fax, held', note: size });
    const others = await compare([bare, gateway], pdf, {
      name: 'accepting a fax, never seen before',
      note: size,
      different: true,
    });
    await stop(gateway);
    gateway = await gatewaySide(join(folder, 'sending'), environment);
    const sending = await compare([bare, gateway], pdf, {
      name: 'accepting a fax while sending',
      note: 'for information',
      different: true,
    });
    return [same, { ...others, bar: 0 }, { ...sending, bar: 0 }];
  } finally {
    for (const side of [bare, gateway]) await stop(side);
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(
  sides: readonly [Side, Side],
  pdf: Buffer,
  { name, note, different = false }: { name: string; note: string; different?: boolean },
): Promise<Figure> {
  const loads = sides.map(({ load, key }) => {
    const shot = faxRequest(pdf, key, { different });
    return (count: number) => load.sendAll(count, shot);
  });
  for (const fire of loads) await fire(WARM_UP);
  const before = await Promise.all(sides.map(({ child }) => child.call<number>('processorMs')));
  const [bare, gateway] = await measureInTurns(
    ROUNDS,
    loads.map((fire) => () => fire(REQUESTS)),
  );
  const after = await Promise.all(sides.map(({ child }) => child.call<number>('processorMs')));
  const [bareMs = 0, gatewayMs = 0] = after.map((ms, i) => (ms - (before[i] ?? 0)) / (ROUNDS * REQUESTS));
  return {
    name,
    ratio: ratioOf(gateway, bare),
    bar: 0.5,
    unit: 'of a bare server',
    detail: `${note}; ${median(gateway ?? []).toFixed(0)}/s and ${gatewayMs.toFixed(1)} ms of processor each, bare ${median(bare ?? []).toFixed(0)}/s and ${bareMs.toFixed(1)} ms`,
  };
}

async function bareSide(dataFolder: string): Promise<Side> {
  const child = await startChild<{ url: string }>('bare-process.ts', { dataFolder });
  return { child, load: new Load(child.ready.url), key: 'none' };
}

async function gatewaySide(dataFolder: string, environment: Record<string, string>): Promise<Side> {
  const profile = process.env['BENCH_PROFILE'];
  const execArgv = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment }, execArgv);
  const load = new Load(child.ready.url);
  return { child, load, key: await makeKey(load) };
}

/** Once; a bench that failed in the middle stops it again. */
async function stop(side: Side | undefined): Promise<void> {
  if (!side || side.stopped) return;
  side.stopped = true;
  side.load.close();
  await side.child.stop();
}
