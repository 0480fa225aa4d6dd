import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import type { GatewayReady } from './gateway-process.ts';
import type { LineEngineReady, LineFigures } from './line-engine-process.ts';

const OWN_NUMBER = '+12025550100';
/** Requests at once. */
const CONCURRENCY = 8;
const POLL_MS = 500;

/** A gateway whose faxes go over the phone line, and an emulated engine, each in a process of its own. */
export interface LineGateway {
  readonly dataFolder: string;
  /** Processor time of the gateway so far, with that of its process of documents. Milliseconds. */
  processorMs(): Promise<number>;
  figures(): Promise<LineFigures>;
  /** Sends each document to a number of its own. */
  send(documents: readonly Uint8Array[]): Promise<void>;
  /** Hands received images over as the engine's script does, each as a call of its own. */
  handOver(images: readonly Uint8Array[]): Promise<void>;
  /** Faxes that no line was free for yet. */
  waiting(): Promise<number>;
  /** Comes back when so many faxes were sent well. */
  waitUntilSent(count: number): Promise<void>;
  /** Comes back when so many faxes were received and filed. */
  waitUntilReceived(count: number): Promise<void>;
  close(): Promise<void>;
}

export async function openLineGateway(options: {
  readonly lines: number;
  readonly pageMs: number;
  readonly databaseUrl?: string | null;
}): Promise<LineGateway> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const engine = await startChild<LineEngineReady>('line-engine-process.ts', { pageMs: options.pageMs });
  const environment = {
    FAX_BACKEND: 'sip',
    FAX_NUMBER: OWN_NUMBER,
    TELEPHONY_PORT: String(engine.ready.port),
    TELEPHONY_PASSWORD: engine.ready.password,
    TRUNK_HOST: 'sip.example.com',
    TRUNK_USER: 'office1',
    TRUNK_PASSWORD: 'trunk-secret',
    TRUNK_LINES: String(options.lines),
    INBOUND_ENABLED: 'true',
    INBOUND_POLLING: 'off',
  };
  const profile = process.env['BENCH_PROFILE'];
  const gateway = await startChild<GatewayReady>(
    'gateway-process.ts',
    { dataFolder, databaseUrl: options.databaseUrl ?? null, environment },
    profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
  );
  const { url } = gateway.ready;
  let numbers = 0;
  let calls = 0;
  return {
    dataFolder,
    processorMs: async () => await gateway.call<number>('processorMs'),
    figures: async () => await engine.call<LineFigures>('figures'),
    async send(documents) {
      await runConcurrently(documents, async (bytes) => {
        const form = new FormData();
        form.set('to', `+1202${5_551_000 + numbers++}`);
        form.set('file', new File([new Uint8Array(bytes)], 'letter.pdf', { type: 'application/pdf' }));
        await request(url, '/fax', { method: 'POST', body: form }, 202);
      });
    },
    async handOver(images) {
      const secret = await readFile(join(dataFolder, 'telephony', 'inbound-secret'), 'utf8');
      const headers = { 'X-Internal-Secret': secret.trim(), 'Content-Type': 'application/json' };
      await mkdir(join(dataFolder, 'inbound'), { recursive: true });
      await runConcurrently(images, async (bytes) => {
        const uniqueid = `1763715600.${calls++}`;
        const tiff_path = join(dataFolder, 'inbound', `${uniqueid}.tiff`);
        await writeFile(tiff_path, bytes);
        const order = { tiff_path, to_number: OWN_NUMBER, from_number: '+12025550199', uniqueid };
        const body = JSON.stringify({ ...order, faxstatus: 'SUCCESS' });
        await request(url, '/_internal/telephony/inbound', { method: 'POST', headers, body }, 200);
      });
    },
    waiting: async () => await countOf(url, 'ready'),
    waitUntilSent: async (count) => await waitUntil(async () => (await countOf(url, 'success')) >= count),
    waitUntilReceived: async (count) =>
      await waitUntil(async () => {
        const answer = await request(url, `/inbound?limit=200&status=received`, {}, 200);
        return ((await answer.json()) as unknown[]).length >= count;
      }),
    close: async () => await closeAll(gateway, engine, dataFolder),
  };
}

async function closeAll(gateway: Child<unknown>, engine: Child<unknown>, dataFolder: string): Promise<void> {
  await gateway.stop();
  await engine.stop();
  await rm(dataFolder, { recursive: true, force: true });
}

async function request(url: string, path: string, init: RequestInit, status: number): Promise<Response> {
  const headers = { 'X-API-Key': BENCH_KEY, ...(init.headers as Record<string, string> | undefined) };
  const answer = await fetch(`${url}${path}`, { ...init, headers });
  if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}

/** Sent faxes in a state. */
async function countOf(url: string, state: string): Promise<number> {
  const text = await (await request(url, '/metrics', {}, 200)).text();
  return Number(new RegExp(`^faxdesk_faxes\\{state="${state}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

async function runConcurrently<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

async function waitUntil(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await pause(POLL_MS);
}
