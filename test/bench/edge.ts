import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from './bench-key.ts';
import { type Child, startChild } from './child.ts';
import type { Figure } from './figure.ts';
import type { Attack, FloodOptions } from './flood-process.ts';
import type { GatewayReady } from './gateway-process.ts';
import { descriptorsOf, residentMb } from './process-resources.ts';

const DESCRIPTORS = 1024;
const FLOOD = 1500;
/** So many good requests, each some time after the one before. */
const GOOD_REQUESTS = 60;
const GOOD_EVERY_MS = 200;
const BOUNDARY = 'edge';
const FORM = `Content-Type: multipart/form-data; boundary=${BOUNDARY}`;
const SIGNED = `X-Phaxio-Signature: ${'a'.repeat(40)}`;
const part = (heading: string, value: string) => `--${BOUNDARY}\r\n${heading}\r\n\r\n${value}\r\n`;
const file = (bytes: number) =>
  part('Content-Disposition: form-data; name="file"; filename="a.pdf"', 'x'.repeat(bytes));

/**
 * Measures what 1,500 callers that connect within three seconds and then idle cost a gateway with 1,024 descriptors,
 * and the response times of good requests meanwhile.
 */
export async function run(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const attack of ATTACKS) figures.push(...(await measureUnder(attack)));
  return figures;
}

const post = (path: string, headers: readonly string[], body: string, length = body.length) =>
  [`POST ${path} HTTP/1.1`, 'Host: 127.0.0.1', ...headers, `Content-Length: ${length}`, '', body].join(
    '\r\n',
  );

const ATTACKS: readonly Attack[] = [
  {
    name: 'empty first part',
    start: post('/fax', [FORM, `X-API-Key: ${BENCH_KEY}`], `--${BOUNDARY}\r\n\r\n\r\n${file(200_000)}`),
    drip: '',
  },
  { name: 'idle connections', start: '', drip: '' },
  { name: 'slow headers', start: 'GET /health HTTP/1.1\r\n', drip: 'X-A: b\r\n' },
  {
    name: 'slow notifications',
    start: post('/cloudone-inbound', [FORM, SIGNED], file(200_000), 40_000_000),
    drip: 'x',
  },
  {
    name: 'slow sign-ins',
    start: post('/auth/login', ['Content-Type: application/json'], '{', 8000),
    drip: ' ',
  },
];

interface HeldResources {
  readonly descriptors: number;
  readonly rssMb: number;
  readonly workMb: number;
}

async function measureUnder(attack: Attack): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const environment = {
    INBOUND_ENABLED: 'true',
    INBOUND_POLLING: 'off',
    CLOUDONE_API_KEY: 'a',
    CLOUDONE_API_SECRET: 'b',
    CLOUDONE_CALLBACK_TOKEN: 'c',
    // Nobody answers there.
    CLOUDONE_API_URL: 'http://127.0.0.1:9',
  };
  const gateway = await startChild<GatewayReady>(
    'gateway-process.ts',
    { dataFolder, environment },
    ['--expose-gc'],
    { descriptors: DESCRIPTORS },
  );
  let flood: Child<true> | null = null;
  try {
    const before = await measureResources(gateway, dataFolder);
    let most = before;
    let slowestMs = 0;
    const options: FloodOptions = { url: gateway.ready.url, connections: FLOOD, attack };
    flood = await startChild<true>('flood-process.ts', {});
    await flood.call('flood', options);
    for (let i = 0; i < GOOD_REQUESTS; i += 1) {
      slowestMs = Math.max(slowestMs, await measureGoodRequest(gateway.ready.url));
      if (i % 5 === 0) most = maximum(most, await measureResources(gateway, dataFolder));
      await pause(GOOD_EVERY_MS);
    }
    await flood.stop();
    flood = null;
    const after = await waitUntilReleased(before, gateway, dataFolder);
    return figuresOf(attack.name, { before, most, after, slowestMs });
  } finally {
    await flood?.stop();
    await gateway.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

function figuresOf(
  name: string,
  {
    before,
    most,
    after,
    slowestMs,
  }: { before: HeldResources; most: HeldResources; after: HeldResources; slowestMs: number },
): Figure[] {
  const words = ({ descriptors, rssMb, workMb }: HeldResources) =>
    `${descriptors} descriptors, ${rssMb} MB, ${workMb} MB in work`;
  const detail = `before ${words(before)}; most ${words(most)}; after ${words(after)}`;
  const figure = { atMost: true, detail: '' };
  return [
    {
      ...figure,
      name: `${name}: slowest good request`,
      ratio: Math.round(slowestMs),
      bar: 1000,
      unit: 'ms',
      detail,
    },
    {
      ...figure,
      name: `${name}: descriptors held`,
      ratio: most.descriptors,
      bar: DESCRIPTORS - 256,
      unit: '',
    },
    { ...figure, name: `${name}: memory added`, ratio: most.rssMb - before.rssMb, bar: 200, unit: 'MB' },
    { ...figure, name: `${name}: on the disk`, ratio: most.workMb, bar: 0.1, unit: 'MB' },
    {
      ...figure,
      name: `${name}: descriptors left over`,
      ratio: after.descriptors - before.descriptors,
      bar: 4,
      unit: '',
    },
  ];
}

function maximum(one: HeldResources, other: HeldResources): HeldResources {
  return {
    descriptors: Math.max(one.descriptors, other.descriptors),
    rssMb: Math.max(one.rssMb, other.rssMb),
    workMb: Math.max(one.workMb, other.workMb),
  };
}

/** Returns how long an authenticated request on a new connection takes, in ms. A refused one counts as a minute. */
async function measureGoodRequest(url: string): Promise<number> {
  const began = performance.now();
  try {
    const headers = { 'X-API-Key': BENCH_KEY, Connection: 'close' };
    const answer = await fetch(`${url}/auth/me`, { headers, signal: AbortSignal.timeout(60_000) });
    await answer.text();
    return answer.ok ? performance.now() - began : 60_000;
  } catch {
    return 60_000;
  }
}

async function waitUntilReleased(
  before: HeldResources,
  gateway: Child<GatewayReady>,
  dataFolder: string,
): Promise<HeldResources> {
  for (let tries = 0; ; tries += 1) {
    const now = await measureResources(gateway, dataFolder);
    if (now.descriptors <= before.descriptors || tries === 20) return now;
    await pause(250);
  }
}

async function measureResources({ pid }: Child<GatewayReady>, dataFolder: string): Promise<HeldResources> {
  const work = join(dataFolder, 'work');
  const sizes = (await readdir(work)).map((name) =>
    stat(join(work, name)).then(
      ({ size }) => size,
      () => 0,
    ),
  );
  const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
  return {
    descriptors: descriptorsOf(pid) ?? 0,
    rssMb: residentMb(pid) ?? 0,
    workMb: Number((bytes / 1e6).toFixed(1)),
  };
}
