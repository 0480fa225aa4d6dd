import { DONE, defineJob, type JobDefinition, type JobResult } from '../../jobs/define-job.ts';
import { recordStep, takeStep } from './attempt.ts';
import type { PrintParts } from './parts.ts';
import { printJob } from './print-queue.ts';

/** Faxes that are handed to printers, or looked at, at once. */
const AT_ONCE = 4;
const HOUR_MS = 3_600_000;

/** Takes a printout a step further, each time that one is due. */
export function definePrinting(parts: PrintParts): JobDefinition<{ printout_id: string }> {
  return defineJob({
    ...printJob,
    concurrency: AT_ONCE,
    // One that a vanished worker left in `submitting` is searched for at its printer when the job comes back.
    lost: 'repeat',
    maxWaitMs: HOUR_MS,
    run: ({ printout_id }, { signal }) => print(parts, printout_id, signal),
  });
}

async function print(parts: PrintParts, id: string, signal: AbortSignal): Promise<JobResult> {
  const step = await takeStep(parts, id, signal);
  if (step === null) return DONE;
  return {
    kind: 'decide',
    async decide(tx) {
      const at = await recordStep(parts, tx, step);
      return at === null ? DONE : { kind: 'retry', at, reason: step.result.changes.problem ?? '' };
    },
  };
}
