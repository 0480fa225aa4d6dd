import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDurablePostgres } from '../endure/world/durable-postgres.ts';
import { startS3Server } from '../setup/s3-server.ts';
import { type Child, startChild } from './child.ts';
import { faxRequest, letterPdf, makeKey } from './fax-upload.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';
import { Load } from './load.ts';

const MOST_GATEWAYS = 3;
const CONNECTIONS = 12;
const ROUNDS = 7;
const REQUESTS = 240;
const WARM_UP = 600;

interface Gateway {
  readonly child: Child<GatewayReady>;
  readonly load: Load;
  readonly key: string;
}

/**
 * Accepting faxes by one, two and three gateways on one PostgreSQL with its usual durability and one bucket, against one
 * gateway on SQLite with documents in its folder; over 12 connections, each document a new one. All run on this computer.
 */
export async function run(): Promise<Figure[]> {
  const server = await startDurablePostgres();
  if ('unavailable' in server) {
    console.error(`several gateways are not measured: ${server.unavailable}`);
    return [];
  }
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const s3 = await startS3Server();
  const environment = { ...emulator.ready.environment, FAX_DISABLED: 'true' };
  const started: Gateway[] = [];
  try {
    const alone = await start(started, { dataFolder: join(folder, 'alone'), environment });
    const databaseUrl = await server.createDatabase();
    const several: Gateway[] = [];
    for (let place = 1; place <= MOST_GATEWAYS; place += 1) {
      const dataFolder = join(folder, `gateway-${place}`);
      if (place > 1) {
        await mkdir(dataFolder, { mode: 0o700 });
        await copyFile(join(folder, 'gateway-1', 'data.key'), join(dataFolder, 'data.key'));
      }
      several.push(
        await start(started, {
          dataFolder,
          databaseUrl,
          severalGateways: true,
          environment: { ...environment, ...s3.settings() },
        }),
      );
    }
    return await compare(alone, several);
  } finally {
    for (const { child, load } of started) {
      load.close();
      await child.stop();
    }
    await emulator.stop();
    await s3.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function start(
  started: Gateway[],
  options: { dataFolder: string; [name: string]: unknown },
): Promise<Gateway> {
  const child = await startChild<GatewayReady>('gateway-process.ts', options);
  const load = new Load(child.ready.url, CONNECTIONS);
  const gateway = { child, load, key: await makeKey(load) };
  started.push(gateway);
  return gateway;
}

async function compare(alone: Gateway, several: readonly Gateway[]): Promise<Figure[]> {
  const pdf = await letterPdf();
  const sides = [[alone], ...several.map((_, last) => several.slice(0, last + 1))];
  const cpu = sides.map(() => ({ ms: 0, wallMs: 0 }));
  const fire = (side: readonly Gateway[], at: number) => async (): Promise<number> => {
    const loads = side.map(({ child, key }) => ({
      key,
      load: new Load(child.ready.url, CONNECTIONS / side.length),
    }));
    const before = await processorMs(side);
    const began = performance.now();
    await Promise.all(
      loads.map(({ load, key }) =>
        load.sendAll(REQUESTS / side.length, faxRequest(pdf, key, { different: true })),
      ),
    );
    const wallMs = performance.now() - began;
    const used = cpu[at];
    if (used) {
      used.ms += (await processorMs(side)) - before;
      used.wallMs += wallMs;
    }
    for (const { load } of loads) load.close();
    return (REQUESTS * 1000) / wallMs;
  };
  for (const { load, key } of [alone, ...several])
    await load.sendAll(WARM_UP, faxRequest(pdf, key, { different: true }));
  const rates = await measureInTurns(ROUNDS, sides.map(fire));
  return several.map((_, index) => {
    const count = index + 1;
    const { ms, wallMs } = cpu[count] ?? { ms: 0, wallMs: 1 };
    return {
      name: `accepting by ${count} on PostgreSQL and a bucket`,
      ratio: ratioOf(rates[count], rates[0]),
      bar: 0,
      unit: 'of one on SQLite',
      detail: `${median(rates[count] ?? []).toFixed(0)}/s, SQLite ${median(rates[0] ?? []).toFixed(0)}/s; the gateways use ${(ms / wallMs).toFixed(1)} processors`,
    };
  });
}

async function processorMs(side: readonly Gateway[]): Promise<number> {
  let sum = 0;
  for (const { child } of side) sum += await child.call<number>('processorMs');
  return sum;
}
