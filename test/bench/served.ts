import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { buildGatewayIfStale } from '../../scripts/build-gateway.ts';
import { readUntil } from '../setup/read-until.ts';
import { faxRequest } from './fax-upload.ts';
import { type Figure, median } from './figure.ts';
import { largeScan } from './large-scan.ts';
import { Load } from './load.ts';
import { descendants } from './own-children.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** The installation key of a served gateway. */
export const SERVED_KEY = 'installation-key-of-a-served-gateway';
const ENVIRONMENT = {
  API_KEY: SERVED_KEY,
  FAX_BACKEND: 'cloudone',
  CLOUDONE_API_KEY: 'bench',
  CLOUDONE_API_SECRET: 'bench',
  FAX_DISABLED: 'true',
};
/** As the scripts of package.json start it. */
const HEAP_OPTIONS = ['--max-semi-space-size=2'];
const STARTS = 9;
const MAX_READY_MS = 1_000;
const FRESH_BYTES = 150e6;
const UPLOADS = 200;
/** About 9 MB. */
const PAGES = 72;
const SETTLED_MS = 15_000;
const MINUTE_MS = 60_000;

export interface Served {
  readonly child: ChildProcess;
  readonly url: string;
  /** From the start of the process until `/health/ready` is answered. */
  readonly readyMs: number;
}

/** The gateway as it is served: how soon it is ready after a kill, and its memory with all its processes. */
export async function run(): Promise<Figure[]> {
  await buildGatewayIfStale();
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  try {
    await kill(await serve(dataFolder));
    const ready: number[] = [];
    for (let time = 0; time < STARTS; time += 1) {
      const served = await serve(dataFolder);
      ready.push(served.readyMs);
      await kill(served);
    }
    return [readyFigure(ready), ...(await memoryFigures(dataFolder))];
  } finally {
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function memoryFigures(dataFolder: string): Promise<Figure[]> {
  const served = await serve(dataFolder);
  const load = new Load(served.url);
  try {
    await pause(SETTLED_MS);
    const fresh = memoryOf(served);
    const scan = await largeScan(PAGES);
    await load.sendAll(UPLOADS, faxRequest(scan, SERVED_KEY, { different: true }));
    const loaded = memoryOf(served);
    await pause(MINUTE_MS);
    return figuresOf({ fresh, loaded, after: memoryOf(served) }, scan.length);
  } finally {
    load.close();
    await kill(served);
  }
}

function readyFigure(ready: readonly number[]): Figure {
  return {
    name: 'ready after a kill',
    ratio: Number((median(ready) / MAX_READY_MS).toFixed(2)),
    bar: 1,
    atMost: true,
    unit: 'of a second',
    detail: `${ready.map((ms) => ms.toFixed(0)).join(', ')} ms`,
  };
}

function figuresOf(bytes: Record<'fresh' | 'loaded' | 'after', number>, upload: number): Figure[] {
  const mb = (value: number) => `${(value / 1e6).toFixed(0)} MB`;
  return [
    {
      name: 'memory of a fresh gateway',
      ratio: Number((bytes.fresh / FRESH_BYTES).toFixed(2)),
      bar: 1,
      atMost: true,
      unit: `of ${mb(FRESH_BYTES)}`,
      detail: mb(bytes.fresh),
    },
    {
      name: 'memory a minute after load',
      ratio: Number((bytes.after / bytes.fresh).toFixed(2)),
      bar: 1.3,
      atMost: true,
      unit: 'of fresh',
      detail: `${mb(bytes.after)}, ${mb(bytes.loaded)} after ${UPLOADS} uploads of ${mb(upload)}`,
    },
  ];
}

/** Starts the built gateway on a data folder; resolves once it is ready. */
export async function serve(dataFolder: string, environment: Record<string, string> = {}): Promise<Served> {
  const began = performance.now();
  const words = [...HEAP_OPTIONS, 'server/faxdesk.mjs', 'serve', '--port', '0', '--data', dataFolder];
  const child = spawn(process.execPath, words, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], ...ENVIRONMENT, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const told = await readUntil(child.stdout, (text) => text.includes('/admin/ui/'));
  const url = /https?:\/\/[^/\s]+/u.exec(told)?.[0];
  if (url === undefined) throw new Error(`the gateway did not start: ${told}`);
  const answer = await fetch(`${url}/health/ready`);
  if (!answer.ok) throw new Error(`the gateway is not ready: ${await answer.text()}`);
  return { child, url, readyMs: performance.now() - began };
}

export async function kill({ child }: Pick<Served, 'child'>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const memoryOf = ({ child }: Served): number =>
  descendants(child.pid ?? 0).reduce((sum, { rssBytes }) => sum + rssBytes, 0);
