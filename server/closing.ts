import type { Logger } from './platform/logger.ts';

/** How long one step is waited for, unless it says otherwise, and all of them together. Milliseconds. */
const STEP_MS = 1_000;
const ALL_MS = 8_000;

interface Step {
  readonly name: string;
  readonly close: () => unknown;
  readonly mostMs: number;
}

/**
 * What a start has built up, to be taken down in the opposite order. Each step is tried whatever the one before did, and
 * one that does not come to its end is left behind: a stop always ends.
 */
export interface Closing {
  /** `mostMs`: how long the step may take when it has a reason to. */
  add(name: string, close: () => unknown, mostMs?: number): void;
  /** Once, however often it is asked for. Never rejects. */
  run(): Promise<void>;
}

/** `logger` is asked for when something goes wrong: it is made in the middle of a start. */
export function createClosing(logger: () => Logger | null): Closing {
  const steps: Step[] = [];
  let running: Promise<void> | null = null;

  const runAll = async (): Promise<void> => {
    const end = performance.now() + ALL_MS;
    for (let step = steps.pop(); step; step = steps.pop()) {
      const leftMs = Math.max(0, Math.min(step.mostMs, end - performance.now()));
      const problem = await attempt(step, leftMs);
      if (problem === null) continue;
      const { name } = step;
      logger()?.room('gateway').error({ error: problem, step: name }, 'a part could not be closed');
    }
  };

  return {
    add(name, close, mostMs = STEP_MS) {
      steps.push({ name, close, mostMs });
    },
    run() {
      running ??= runAll();
      return running;
    },
  };
}

/** Null when the step came to its end; else why it did not. */
async function attempt({ close }: Step, mostMs: number): Promise<unknown> {
  let late: NodeJS.Timeout | undefined;
  try {
    // Called in any case, even when there is no time left to wait for it.
    const closed = Promise.resolve(close());
    const inTime = new Promise<never>((_resolve, reject) => {
      late = setTimeout(() => reject(new Error(`it took more than ${Math.round(mostMs)} ms`)), mostMs);
    });
    await Promise.race([closed, inTime]);
    return null;
  } catch (error) {
    return error;
  } finally {
    clearTimeout(late);
  }
}
