import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { faxShot, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, inTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load, type Shot } from './load.ts';

const ROUNDS = 7;
const REQUESTS = 200;
const WARM_UP = 600;

interface Side {
  child: Child<{ url: string }>;
  load: Load;
  shot: Shot;
}

/** Accepting a 50 KB PDF over 8 connections, against the least that a durable acceptance can be on the same disk. */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const { environment } = emulator.ready;
  const pdf = await letterPdf();
  const sides: Side[] = [];
  try {
    sides.push(await bareSide(join(folder, 'bare'), pdf));
    sides.push(await gatewaySide(join(folder, 'held'), { ...environment, FAX_DISABLED: 'true' }, pdf));
    const held = await compare(sides, 'accepting a fax, held', `${(pdf.length / 1000).toFixed(0)} KB`);
    await stop(sides.splice(1));
    sides.push(await gatewaySide(join(folder, 'sending'), environment, pdf));
    const sending = await compare(sides, 'accepting a fax while sending', 'for information');
    return [held, { ...sending, bar: 0 }];
  } finally {
    await stop(sides);
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function compare(sides: readonly Side[], name: string, note: string): Promise<Figure> {
  for (const { load, shot } of sides) await load.fire(WARM_UP, shot);
  const before = await Promise.all(sides.map(({ child }) => child.call<number>('processorMs')));
  const [bare, gateway] = await inTurns(
    ROUNDS,
    sides.map(
      ({ load, shot }) =>
        () =>
          load.fire(REQUESTS, shot),
    ),
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

async function bareSide(dataFolder: string, pdf: Buffer): Promise<Side> {
  const child = await startChild<{ url: string }>('bare-process.ts', { dataFolder });
  return { child, load: new Load(child.ready.url), shot: faxShot(pdf, 'none') };
}

async function gatewaySide(
  dataFolder: string,
  environment: Record<string, string>,
  pdf: Buffer,
): Promise<Side> {
  const profile = process.env['BENCH_PROFILE'];
  const execArgv = profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [];
  const child = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment }, execArgv);
  const load = new Load(child.ready.url);
  return { child, load, shot: faxShot(pdf, await makeKey(load)) };
}

async function stop(sides: readonly Side[]): Promise<void> {
  for (const { child, load } of sides) {
    load.close();
    await child.stop();
  }
}
