import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { CheckOrder, CheckResult } from './check-messages.ts';

const ENTRY = fileURLToPath(new URL('./check-entry.ts', import.meta.url));
const HEAP = { maxOldGenerationSizeMb: 32, maxYoungGenerationSizeMb: 4 };
const DEFAULT_ISOLATION = Object.hasOwn(process.versions, 'electron') ? 'thread' : 'process';
const STOPPED: CheckResult = { state: 'stopped' };

/** A check that is under way. */
interface RunningCheck {
  /** Resolves when its process, or thread, has ended. Rejects when that ended by itself without an answer. */
  readonly result: Promise<CheckResult>;
  end(): void;
}

/**
 * Checks a database file beside everything else: in a process, which gives its memory back, leaves the processor to others and
 * can be ended at once. The desktop application can start none there: in a thread, which ends after the table at hand.
 */
export function startCheck(
  order: Omit<CheckOrder, 'stop'>,
  isolation: 'process' | 'thread' = DEFAULT_ISOLATION,
): RunningCheck {
  return isolation === 'thread' ? checkInThread(order) : checkInProcess(order);
}

function checkInProcess(order: CheckOrder): RunningCheck {
  const child = spawn(process.execPath, [ENTRY, JSON.stringify(order)], {
    // On Windows libuv adds what no program starts without.
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    windowsHide: true,
  });
  let isEnded = false;
  const result = new Promise<CheckResult>((resolve, reject) => {
    let received: CheckResult | null = null;
    child.once('message', (answer) => (received = answer as CheckResult));
    child.once('error', reject);
    child.once('close', () => {
      if (received === null && !isEnded)
        reject(new Error('the process of the check ended without an answer'));
      else resolve(received ?? STOPPED);
    });
  });
  const end = () => {
    isEnded = true;
    child.kill('SIGKILL');
  };
  return { result, end };
}

function checkInThread(order: CheckOrder): RunningCheck {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const thread = new Worker(ENTRY, { workerData: { ...order, stop }, resourceLimits: HEAP, execArgv: [] });
  const result = new Promise<CheckResult>((resolve, reject) => {
    let received: CheckResult | null = null;
    thread.once('message', (answer: CheckResult) => (received = answer));
    thread.once('error', reject);
    thread.once('exit', () => {
      if (received === null) reject(new Error('the thread of the check ended without an answer'));
      else resolve(received);
    });
  });
  return { result, end: () => void Atomics.store(stop, 0, 1) };
}
