import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { peakBytes } from '../restart/step-at-commits.ts';
import type { BucketReady } from './bucket-process.ts';
import type { Child } from './child.ts';
import { namesIn } from './move-installation.ts';
import { kill, SERVED_KEY, type Served, serve } from './served.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const PREFIX = 'office/';
const LOOK_MS = 5;

export type Bucket = Child<BucketReady>;

interface DocumentsMove {
  readonly dataFolder: string;
  readonly databaseUrl: string;
  readonly bucket: Bucket;
  readonly documents: number;
  /** Place where the documents are moved to. */
  readonly to: 's3' | 'local';
  /** Process that is killed, at equal distances. */
  readonly kills: readonly ('gateway' | 'command')[];
}

/** Cost of a move of all documents with the gateway, and the documents that were in both places after each kill. */
export interface DocumentsMoved {
  readonly ms: number;
  /** Largest memory of the gateways. */
  readonly maxBytes: number;
  readonly inBoth: readonly number[];
  /** From the start of a gateway that was killed until it is ready, at most. */
  readonly readyMs: number;
}

/**
 * Moves all documents by the command with the gateway as it is served, while one of them is killed at some places. Throws when a
 * document is in neither place after a kill, or the last command fails.
 */
export async function moveDocuments(move: DocumentsMove): Promise<DocumentsMoved> {
  const { dataFolder, databaseUrl, to, kills, documents } = move;
  // Credentials of the environment are read at each start, other settings at the first one only.
  const start = () => serve(dataFolder, { ...move.bucket.ready.settings, DATABASE_URL: databaseUrl });
  let served = await start();
  let [ms, maxBytes, readyMs] = [0, 0, 0];
  const inBoth: number[] = [];
  try {
    await setBackend(served, to);
    for (const victim of [...kills, null]) {
      const began = performance.now();
      const command = startCommand(served);
      const ended = once(command, 'close');
      if (victim !== null)
        await reached(move, command, Math.round((documents * (inBoth.length + 1)) / (kills.length + 1)));
      if (victim === 'command') command.kill('SIGKILL');
      if (victim !== null) maxBytes = Math.max(maxBytes, peakOf(served));
      if (victim === 'gateway') await kill(served);
      const [code] = (await ended) as [number | null];
      ms += performance.now() - began;
      maxBytes = Math.max(maxBytes, victim === 'gateway' ? 0 : peakOf(served));
      if (victim === null && code !== 0) throw new Error(`the command ended with ${code}`);
      if (victim !== null && code === 0) throw new Error('the move was complete before its kill');
      if (victim !== null) inBoth.push(await countBoth(move));
      if (victim === 'gateway') {
        served = await start();
        readyMs = Math.max(readyMs, served.readyMs);
      }
    }
  } finally {
    const gone = once(served.child, 'exit');
    served.child.kill('SIGTERM');
    await gone;
  }
  return { ms, maxBytes, inBoth, readyMs };
}

async function setBackend({ url }: Served, backend: 's3' | 'local'): Promise<void> {
  const answer = await fetch(`${url}/admin/settings`, {
    method: 'PUT',
    headers: { 'X-API-Key': SERVED_KEY, 'Content-Type': 'application/json' },
    body: JSON.stringify({ changes: { STORAGE_BACKEND: backend } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const startCommand = ({ url }: Served): ChildProcess =>
  spawn(process.execPath, ['server/faxdesk.mjs', 'storage', 'move'], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], FAXDESK_URL: url, FAXDESK_API_KEY: SERVED_KEY },
    stdio: ['ignore', 'ignore', 'pipe'],
  }).once('error', (error) => {
    throw error;
  });

/** Waits until so many documents were moved. Throws when the command ends before. */
async function reached({ bucket, to, documents }: DocumentsMove, command: ChildProcess, count: number) {
  for (;;) {
    // The mark of the installation is there as well.
    const there = Math.max(0, (await bucket.call<number>('count')) - 1);
    if ((to === 's3' ? there : documents - there) >= count) return;
    if (command.exitCode !== null)
      throw new Error(`the command ended with ${command.exitCode}: ${String(command.stderr?.read() ?? '')}`);
    await pause(LOOK_MS);
  }
}

const peakOf = ({ child }: Served) => peakBytes(readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8'));

/**
 * Documents that are in the folder and in the bucket. Throws when one is in neither. The place that they leave is read first: a
 * gateway whose command was killed ends its step meanwhile.
 */
async function countBoth({ dataFolder, bucket, documents, to }: DocumentsMove): Promise<number> {
  const local = () => namesIn(dataFolder);
  const objects = async () =>
    (await bucket.call<string[]>('keys'))
      .filter((key) => !key.endsWith('/installation.json'))
      .map((key) => key.slice(PREFIX.length));
  const first = await (to === 's3' ? local() : objects());
  const second = await (to === 's3' ? objects() : local());
  const { size } = new Set([...first, ...second]);
  if (size !== documents) throw new Error(`${documents - size} documents are in neither place`);
  return first.length + second.length - size;
}
