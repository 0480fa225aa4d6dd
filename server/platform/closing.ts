import type { Logger } from './logger.ts';

/** Default timeout of one step, and timeout of all of them together, in ms. */
const STEP_MS = 1_000;
const ALL_MS = 8_000;

interface Step {
  readonly name: string;
  readonly close: () => unknown;
  readonly mostMs: number;
}

/**
 * Shutdown steps of what a start has built up, run in the opposite order. A failed step does not stop the next ones,
 * and one that does not finish is abandoned: a stop always ends.
 */
export interface Closing {
  /** `mostMs`: how long the step may take when it has a reason to. */
  add(name: string, close: () => unknown, mostMs?: number): void;
  /** Runs the steps once, however often it is called. Never rejects. */
  run(): Promise<void>;
}

/** Creates the list of shutdown steps. `logger` is called only on errors: the logger is created during a start. */
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
