/**
 * A replacement of the data key in a process of its own, which ends itself with SIGKILL at one step: before or after a commit, a new
 * name of a file, and bytes that are written in place.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import type { DataKeyChildPlan } from './data-key-kill-points.test.ts';

const plan = JSON.parse(process.argv[2] ?? '{}') as DataKeyChildPlan;
let steps = 0;
let isCounting = false;

function step(): void {
  if (!isCounting) return;
  steps += 1;
  if (steps === plan.killAt) process.kill(process.pid, 'SIGKILL');
}

const { rename } = fs.promises;
fs.promises.rename = async (from, to) => {
  step();
  await rename(from, to);
  step();
};
const { writeSync, fsyncSync } = fs;
fs.writeSync = ((...given: Parameters<typeof writeSync>) => {
  step();
  return writeSync(...given);
}) as typeof writeSync;
fs.fsyncSync = (file) => {
  step();
  fsyncSync(file);
  step();
};
syncBuiltinESMExports();

const { stepAtCommits } = await import('./step-at-commits.ts');
const { startGateway } = await import('../../server/index.ts');
const { createLogger } = await import('../../server/platform/logger.ts');
stepAtCommits(step);

let now = plan.now;
const gateway = await startGateway({
  boot: plan.boot,
  environment: plan.environment,
  clock: { now: () => now },
  logger: createLogger({ level: 'silent' as never, write: () => undefined }),
  automatic: false,
  checkStore: false,
});
isCounting = true;
const headers = { 'X-API-Key': plan.boot.apiKey ?? '', 'Content-Type': 'application/json' };
const call = async (method: string, path: string, body?: string) => {
  const answer = await fetch(`${gateway.url}${path}`, { method, headers, ...(body ? { body } : {}) });
  return { status: answer.status, body: (await answer.json()) as { replacement: object | null } };
};
if (plan.begins) await call('POST', '/console/data-key/replace', '{}');
for (let pass = 0; pass < 6; pass += 1) {
  await gateway.processAll();
  now += 61_000;
}
const { body } = await call('GET', '/console/data-key');
isCounting = false;
await gateway.stop();
process.send?.({ steps, isDone: body.replacement === null });
process.disconnect?.();
