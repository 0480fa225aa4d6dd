/**
 * An upgrade from an earlier release in a process of its own, which ends itself with SIGKILL at one step. A step is the moment
 * before or after a commit, and before or after a document gets its name. Started by `runUpgradeChild`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import type { UpgradeChildPlan, UpgradeChildResult } from './upgrade-run.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as UpgradeChildPlan;
let steps = 0;

function step(): void {
  steps += 1;
  if (steps === plan.killAt) process.kill(process.pid, 'SIGKILL');
}

const rename = fs.renameSync;
fs.renameSync = (from, to) => {
  step();
  rename(from, to);
  step();
};
syncBuiltinESMExports();

const { Database } = await import('../../server/db/database.ts');
const { upgradeInstallation } = await import('../../server/composition/upgrade.ts');

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
const { counts, noteCount } = await upgradeInstallation(plan.boot, {}, plan.earlier, {
  dryRun: false,
  clock: { now: () => plan.now },
});
const result: UpgradeChildResult = {
  counts,
  noteCount,
  steps,
  ms: performance.now() - began,
  // The largest size that the system reports for a child may be that of its parent.
  maxBytes: Number(/^VmHWM:\s+(\d+)/mu.exec(fs.readFileSync('/proc/self/status', 'utf8'))?.[1]) * 1024,
};
process.send?.(result);
process.disconnect?.();
