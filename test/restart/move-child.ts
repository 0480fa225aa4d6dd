/**
 * A move to another database in a process of its own, which ends itself with SIGKILL at one step. A step is the moment before or
 * after a commit. Started by `runMoveChild`.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { MoveChildPlan, MoveChildResult } from './move-run.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as MoveChildPlan;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === plan.killAt) process.kill(process.pid, 'SIGKILL');
}

const { peakBytes, stepAtCommits } = await import('./step-at-commits.ts');
const { moveInstallation } = await import('../../server/composition/move.ts');

stepAtCommits(step);

const began = performance.now();
const report = await moveInstallation(plan.boot, plan.to, {
  onProgress({ part, done, total }) {
    if (plan.killComparing && part === 'compare' && done > total / 2) process.kill(process.pid, 'SIGKILL');
  },
});
const result: MoveChildResult = {
  report,
  steps,
  ms: performance.now() - began,
  maxBytes: peakBytes(readFileSync('/proc/self/status', 'utf8')),
};
process.send?.(result);
process.disconnect?.();
