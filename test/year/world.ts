import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BENCH_KEY } from '../bench/bench-key.ts';
import { type Child, startChild } from '../bench/child.ts';
import type { GatewayReady } from '../bench/gateway-process.ts';

export const PUBLIC_URL = 'https://fax.example.com';
export const DAY_MS = 86_400_000;

interface Provider {
  readonly environment: Record<string, string>;
}

/** Faxes that the provider took and ended. */
export interface ProviderTotals {
  readonly accepted: number;
  readonly ended: number;
  readonly failed: number;
  readonly refusedCallbacks: number;
}

/** Progress of a trial; kept in its folder, so that it goes on where it was broken off. */
export interface Progress {
  readonly day: number;
  readonly sent: number;
  readonly received: number;
  readonly finished: number;
  /** Real time of the days. */
  readonly seconds: number;
  /** Sent faxes that the provider took, over all parts of the trial. */
  readonly accepted: number;
  /** Sent faxes of copied days. */
  readonly copied: number;
  /** Of the clock at day 0, in milliseconds since 1970. */
  readonly beganAt: number;
}

/** A gateway and a provider, each in a process of its own, with one clock that is moved from day to day. */
export interface World {
  readonly folder: string;
  readonly dataFolder: string;
  readonly provider: Child<Provider>;
  /** Replaced by `restart`. */
  gateway: Child<GatewayReady>;
  /** Difference of its clock from that of the computer. */
  aheadMs: number;
}

/** Opens the world of a trial at the time that its progress has reached. */
export async function openWorld(
  folder: string,
  databaseUrl: string | null,
  { beganAt, day }: Progress,
): Promise<World & { databaseUrl: string | null; restart(): Promise<GatewayReady> }> {
  const aheadMs = beganAt + day * DAY_MS - Date.now();
  const provider = await startChild<Provider>('../year/provider-process.ts', { aheadMs });
  const dataFolder = join(folder, 'data');
  const start = async (ahead: number) => {
    const environment = {
      ...provider.ready.environment,
      PUBLIC_API_URL: PUBLIC_URL,
      INBOUND_ENABLED: 'true',
      INBOUND_POLLING: 'off',
    };
    const options = { dataFolder, databaseUrl, environment, aheadMs: ahead };
    const gateway = await startChild<GatewayReady>('gateway-process.ts', options, ['--expose-gc']);
    await provider.call('connect', { url: gateway.ready.url, publicUrl: PUBLIC_URL });
    // An installation that is there already keeps the address of the provider before.
    await putSettings(gateway.ready.url, accountOf(provider.ready.environment));
    return gateway;
  };
  const world = {
    folder,
    dataFolder,
    databaseUrl,
    provider,
    gateway: await start(aheadMs),
    aheadMs,
    async restart() {
      await world.gateway.stop();
      world.gateway = await start(world.aheadMs);
      return world.gateway.ready;
    },
  };
  return world;
}

/** Saved secrets go to no other address, so they are entered with it. */
function accountOf(environment: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('CLOUDONE_')));
}

async function putSettings(url: string, changes: Record<string, string>): Promise<void> {
  const answer = await fetch(`${url}/admin/settings`, {
    method: 'PUT',
    headers: { 'X-API-Key': BENCH_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes }),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`The settings were refused: ${text}`);
}

export async function closeWorld({ gateway, provider }: World): Promise<void> {
  await gateway.stop();
  await provider.stop();
}

/** Moves the clock of both by so many milliseconds. */
export async function advance(world: World, ms: number): Promise<void> {
  world.aheadMs += ms;
  await world.provider.call('advance', ms);
  await world.gateway.call('advance', ms);
}

/** Asks the gateway, with a POST where there is a body. Throws for every status but 200 and 202. */
export async function askText({ gateway }: World, path: string, body?: unknown): Promise<string> {
  const headers = { 'X-API-Key': BENCH_KEY, 'Content-Type': 'application/json' };
  const answer = await fetch(
    `${gateway.ready.url}${path}`,
    body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) },
  );
  const text = await answer.text();
  if (answer.status !== 200 && answer.status !== 202) throw new Error(`${path}: ${answer.status} ${text}`);
  return text;
}

/** The same for JSON. */
export async function ask<T>(world: World, path: string, body?: unknown): Promise<T> {
  return JSON.parse(await askText(world, path, body)) as T;
}

/** Returns a figure of `/metrics` by its name with labels; 0 where it is left out. */
export function figureOf(metrics: string, name: string): number {
  const line = metrics.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? 0 : Number(line.slice(name.length));
}

/** Reads how far the trial in this folder is; `fresh` where there is none. */
export async function readProgress(folder: string, fresh: Progress): Promise<Progress> {
  try {
    return { ...fresh, ...(JSON.parse(await readFile(join(folder, 'progress.json'), 'utf8')) as Progress) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fresh;
    throw error;
  }
}

export async function keepProgress(folder: string, progress: Progress): Promise<void> {
  const file = join(folder, 'progress.json');
  await writeFile(`${file}.part`, JSON.stringify(progress));
  await rename(`${file}.part`, file);
}
