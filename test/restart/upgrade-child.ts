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

const { peakBytes, stepAtCommits } = await import('./step-at-commits.ts');
const { upgradeInstallation } = await import('../../server/composition/upgrade.ts');

stepAtCommits(step);

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
  maxBytes: peakBytes(fs.readFileSync('/proc/self/status', 'utf8')),
};
process.send?.(result);
process.disconnect?.();
