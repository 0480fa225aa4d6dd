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

const { Database } = await import('../../server/db/database.ts');
const { moveInstallation } = await import('../../server/composition/move.ts');

const { transaction } = Database.prototype;
Database.prototype.transaction = async function <T>(
  this: InstanceType<typeof Database>,
  work: (tx: never) => Promise<T>,
) {
  const result = await transaction.call(this, async (tx) => {
    const inner = await work(tx as never);
    step();
    return inner;
  });
  step();
  return result as T;
};

const began = performance.now();
const report = await moveInstallation(plan.boot, plan.to);
const result: MoveChildResult = {
  report,
  steps,
  ms: performance.now() - began,
  // The largest size that the system reports for a child may be that of its parent.
  maxBytes: Number(/^VmHWM:\s+(\d+)/mu.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024,
};
process.send?.(result);
process.disconnect?.();
