import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BENCH_KEY } from '../bench/bench-key.ts';
import { type Child, startChild } from '../bench/child.ts';
import type { GatewayReady, Memory } from '../bench/gateway-process.ts';
import { descriptorsOf } from '../bench/process-resources.ts';
import { createRandom, type Random } from './random.ts';
import type { FuzzRequest, FuzzSubject, FuzzTargets } from './subject.ts';

/** An answer that has not come by then hangs, unless the subject allows more. */
const HANG_MS = 10_000;
const BATCH = 100;
/** Batches after which caches are full and threads have started. */
const WARM_UP = 4;
/** Past every limit by the minute. */
const PAUSE_MS = 61_000;
/** By then previews and the like are gone. */
const RELEASE_MS = 3 * 3_600_000;
/** Ids of answers that are kept for later requests. */
const MOST_IDS = 500;
/** Sentences of refusals that are counted apart. */
const MOST_SENTENCES = 200;
const PUBLIC_URL = 'https://fax.example.com';
const BASIC = { user: 'provider', password: 'fuzz-password' };

/** Resources held by the gateway. */
interface HeldResources {
  /** Null where the system does not show them. */
  readonly descriptors: number | null;
  readonly rssMb: number;
  /** Of JavaScript and its buffers, after everything unused was given back. */
  readonly usedMb: number;
  readonly workFiles: number;
}

interface FuzzResult {
  readonly requests: number;
  /** Number of answers by status; `closed` without an answer. */
  readonly statuses: Readonly<Record<string, number>>;
  /** Number of refusals by their sentence. */
  readonly sentences: Readonly<Record<string, number>>;
  /** The requests that hung, or were answered 500. */
  readonly hung: readonly FuzzRequest[];
  readonly failed: readonly FuzzRequest[];
  readonly before: HeldResources;
  readonly after: HeldResources;
}

/**
 * Sends random requests of a subject to a gateway in a process of its own, until `shouldContinue` returns false. The same
 * seed makes the same requests, but for ids of records.
 */
export async function fuzz(
  subject: FuzzSubject,
  seed: number,
  shouldContinue: (requests: number, statuses: FuzzResult['statuses']) => boolean,
  { isQuiet = false }: { isQuiet?: boolean } = {},
): Promise<FuzzResult> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-fuzz-'));
  const emulator = await startChild<{ environment: Record<string, string> }>('emulator-process.ts', {});
  const environment = { ...emulator.ready.environment, ...SETTINGS, ...subject.listener?.environment };
  const gateway = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment, isQuiet }, [
    '--expose-gc',
  ]);
  try {
    const run = new Run(subject, gateway, createRandom(seed), await targetsAt(gateway.ready.url));
    for (let batches = 0; batches < WARM_UP; batches += 1) await run.batch();
    const before = await measureResources(gateway, dataFolder);
    do await run.batch();
    while (shouldContinue(run.requests, run.statuses));
    const { requests, statuses, sentences, hung, failed } = run;
    return {
      requests,
      statuses,
      sentences,
      hung,
      failed,
      before,
      after: await waitUntilReleased(gateway, dataFolder, before),
    };
  } finally {
    await gateway.stop();
    await emulator.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

const SETTINGS = {
  PUBLIC_API_URL: PUBLIC_URL,
  INBOUND_ENABLED: 'true',
  INBOUND_POLLING: 'off',
  CLOUDTWO_PROJECT_ID: 'project',
  CLOUDTWO_API_KEY: 'key',
  CLOUDTWO_API_SECRET: 'secret',
  // Nobody answers there.
  CLOUDTWO_API_URL: 'http://127.0.0.1:9',
  CLOUDTWO_INBOUND_BASIC_USER: BASIC.user,
  CLOUDTWO_INBOUND_BASIC_PASS: BASIC.password,
};

/** Sends a fax, so that callbacks can name it. */
async function targetsAt(url: string): Promise<FuzzTargets> {
  const headers = { 'X-API-Key': BENCH_KEY };
  const form = new FormData();
  form.append('to', '+12025550123');
  form.append('file', new File(['Dear colleague'], 'letter.txt'));
  const sent = (await (await fetch(`${url}/fax`, { method: 'POST', headers, body: form })).json()) as {
    id: string;
  };
  for (;;) {
    const fax = (await (await fetch(`${url}/fax/${sent.id}`, { headers })).json()) as {
      attempt: { id: string } | null;
      provider_sid: string | null;
    };
    if (fax.attempt && fax.provider_sid) {
      const callback = `job_id=${sent.id}&attempt_id=${fax.attempt.id}`;
      return { callback, key: BENCH_KEY, basic: `${BASIC.user}:${BASIC.password}`, ids: [sent.id] };
    }
    await pause(50);
  }
}

class Run {
  readonly statuses: Record<string, number> = {};
  readonly sentences: Record<string, number> = {};
  readonly hung: FuzzRequest[] = [];
  readonly failed: FuzzRequest[] = [];
  requests = 0;
  readonly #subject: FuzzSubject;
  readonly #url: string;
  readonly #gateway: Child<GatewayReady>;
  readonly #random: Random;
  readonly #targets: FuzzTargets;
  readonly #ids: string[];

  constructor(subject: FuzzSubject, gateway: Child<GatewayReady>, random: Random, targets: FuzzTargets) {
    this.#subject = subject;
    const { listener } = subject;
    this.#url = listener === undefined ? gateway.ready.url : `http://127.0.0.1:${listener.port}`;
    this.#gateway = gateway;
    this.#random = random;
    this.#ids = [...targets.ids];
    this.#targets = { ...targets, ids: this.#ids };
  }

  /** Several connections at once; what is sent does not depend on which is faster. */
  async batch(): Promise<void> {
    const left = Array.from({ length: BATCH }, () => ({
      request: this.#subject.makeRequest(this.#random, this.#targets),
      manner: { slices: this.#random.int(4), isAbandoned: this.#random.chance(10) },
    }));
    const work = async () => {
      for (let next = left.pop(); next; next = left.pop()) await this.#send(next.request, next.manner);
    };
    await Promise.all(Array.from({ length: this.#subject.connections }, work));
    await this.#gateway.call('advance', PAUSE_MS);
  }

  async #send(request: FuzzRequest, manner: Manner): Promise<void> {
    const { outcome, text } = await sendRequest(this.#url, request, {
      ...manner,
      hangMs: this.#subject.hangMs ?? HANG_MS,
      outcomeOf: this.#subject.outcomeOf,
    });
    this.requests += 1;
    this.#remember(text);
    this.statuses[outcome] = (this.statuses[outcome] ?? 0) + 1;
    if (outcome === 'hung') this.hung.push(request);
    if (outcome === '500') this.failed.push(request);
  }

  /** Keeps ids of an answer for later requests, and counts the sentence of a refusal. */
  #remember(text: string): void {
    for (const [, id = ''] of text.matchAll(/"id":"([\w-]{1,80})"/gu)) this.#ids.push(id);
    if (this.#ids.length > MOST_IDS) this.#ids.splice(0, this.#ids.length - MOST_IDS);
    const sentence = /^\{"detail":"((?:[^"\\]|\\.){1,160})"/mu.exec(text)?.[1];
    if (sentence === undefined) return;
    const isKept = sentence in this.sentences || Object.keys(this.sentences).length < MOST_SENTENCES;
    const name = isKept ? sentence : 'others';
    this.sentences[name] = (this.sentences[name] ?? 0) + 1;
  }
}

interface Manner {
  /** In how many pieces it is sent. */
  readonly slices: number;
  /** True when the sender leaves before the answer. */
  readonly isAbandoned: boolean;
}

interface PatientManner extends Manner {
  /** Maximum time of the answer. */
  readonly hangMs: number;
  readonly outcomeOf: FuzzSubject['outcomeOf'];
}

/** The status of the answer, `closed`, `abandoned` or `hung`, with the text that had come by then. */
function sendRequest(
  url: string,
  { bytes, isWhole }: FuzzRequest,
  manner: PatientManner,
): Promise<{ outcome: string; text: string }> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
    let received = '';
    const end = (outcome: string) => {
      clearTimeout(hang);
      socket.destroy();
      resolve({ outcome, text: received });
    };
    const hang = setTimeout(() => end('hung'), manner.hangMs);
    const judge = () => {
      const statuses = [...received.matchAll(/^HTTP\/1\.1 (\d{3})/gmu)].map(([, status = '']) => status);
      const final = statuses.filter((status) => status !== '100');
      const [status] = final;
      if (status === undefined) return null;
      if (final.includes('500')) return '500';
      const head = received.indexOf('\r\n\r\n');
      return manner.outcomeOf ? manner.outcomeOf(status, head < 0 ? '' : received.slice(head + 4)) : status;
    };
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      received += text;
      const outcome = judge();
      if (outcome !== null) end(outcome);
    });
    socket.on('error', () => end(judge() ?? 'closed'));
    socket.on('end', () => end(judge() ?? 'closed'));
    socket.on('connect', () => {
      const size = Math.ceil(bytes.length / (manner.slices + 1)) || 1;
      for (let at = 0; at < bytes.length; at += size) socket.write(bytes.subarray(at, at + size));
      if (manner.isAbandoned) setImmediate(() => end('abandoned'));
      else if (!isWhole) socket.end();
    });
  });
}

async function measureResources(gateway: Child<GatewayReady>, dataFolder: string): Promise<HeldResources> {
  const { rss, heapUsed, external } = await gateway.call<Memory>('memory');
  return {
    descriptors: descriptorsOf(gateway.pid),
    rssMb: Math.round(rss / 1e6),
    usedMb: Math.round((heapUsed + external) / 1e6),
    workFiles: (await readdir(join(dataFolder, 'work'))).length,
  };
}

/** Returns the resources held after the last connections have ended, waiting a few seconds at most. */
async function waitUntilReleased(
  gateway: Child<GatewayReady>,
  dataFolder: string,
  before: HeldResources,
): Promise<HeldResources> {
  await gateway.call('advance', RELEASE_MS);
  for (let tries = 0; ; tries += 1) {
    const now = await measureResources(gateway, dataFolder);
    const isBack = now.workFiles === 0 && (now.descriptors ?? 0) <= (before.descriptors ?? 0);
    if (isBack || tries === 20) return now;
    await pause(500);
  }
}
