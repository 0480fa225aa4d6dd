import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import { closeNetwork } from '../../server/documents/process/no-network.ts';

// Started in the place of the process of documents: tries what it must not be able to do, there and in a thread of it.

/** Targets of the attempted operations. */
export interface AttemptTargets {
  readonly secret: string;
  readonly folder: string;
  readonly port: number;
}

/** By name: the code of the error, or `done`. */
type Outcomes = Record<string, string>;

/** Results of the attempts, in the process itself and in its threads. */
export interface Report {
  readonly pid: number;
  readonly environment: readonly string[];
  readonly outcomes: Outcomes;
  readonly inThread: Outcomes;
}

closeNetwork();
if (isMainThread) process.once('message', (targets: AttemptTargets) => void report(targets));
else
  parentPort?.once(
    'message',
    (targets: AttemptTargets) => void outcomesOf(targets).then((found) => parentPort?.postMessage(found)),
  );

async function report(targets: AttemptTargets): Promise<void> {
  // libvips leaves its own name behind once it is loaded; it is not here.
  const environment = Object.keys(process.env);
  const outcomes = await outcomesOf(targets);
  const thread = new Worker(new URL(import.meta.url));
  thread.postMessage(targets);
  const inThread = await new Promise<Outcomes>((resolve) => thread.once('message', resolve));
  process.send?.({ pid: process.pid, environment, outcomes, inThread } satisfies Report);
}

async function outcomesOf({ secret, folder, port }: AttemptTargets): Promise<Outcomes> {
  const address = { host: '127.0.0.1', port };
  return {
    'read another file': codeOf(() => readFileSync(secret)),
    'write beside it': codeOf(() => writeFileSync(`${secret}.new`, '')),
    'write its own code': codeOf(() => writeFileSync(new URL(import.meta.url), '')),
    'read its folder': codeOf(() => readFileSync(`${folder}/document`)),
    'write its folder': codeOf(() => writeFileSync(`${folder}/made`, '')),
    'start a program': codeOf(() => spawnSync(process.execPath)),
    connect: codeOf(() => connect(address)),
    listen: codeOf(() => createServer().listen(0)),
    'ask by HTTP': codeOf(() => request(address)),
    'send a datagram': codeOf(() => createSocket('udp4').send('x', port)),
    fetch: await fetch(`http://127.0.0.1:${port}/`).then(
      () => 'done',
      () => 'refused',
    ),
  };
}

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'done';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  }
}
