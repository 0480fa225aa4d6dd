/**
 * The first start of the release before after an update that failed, in a process of its own, which ends itself with SIGKILL at one
 * step between the folder that is filled and the end of the way back: before a new name and a removal, and after the last one. A kill
 * after one is that before the next. Commits go to a store that no kill leaves in use. Started by `way-back-kill-points.test.ts`.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import process from 'node:process';
import type { WayBackPlan, WayBackResult } from './way-back-kill-points.test.ts';

const WAY_BACK_FILE = 'way-back.json';
const plan = JSON.parse(process.argv[2] ?? '{}') as WayBackPlan;
const { dataFolder } = plan.boot;
let steps = 0;
let isCounting = false;

function step(): void {
  if (!isCounting) return;
  steps += 1;
  if (steps === plan.killAt) process.kill(process.pid, 'SIGKILL');
}

const { rename, rm, rmdir, mkdir } = fs.promises;
fs.promises.rename = async (from, to) => {
  step();
  await rename(from, to);
};
fs.promises.rm = async (path, options) => {
  step();
  await rm(path, options);
  if (!String(path).endsWith(WAY_BACK_FILE)) return;
  step();
  isCounting = false;
};
fs.promises.rmdir = async (...given) => {
  step();
  await rmdir(...given);
};
fs.promises.mkdir = (async (...given: Parameters<typeof mkdir>) => {
  if (String(given[0]).includes('.restore-')) isCounting = true;
  return await mkdir(...given);
}) as typeof mkdir;
syncBuiltinESMExports();

const { runGateway } = await import('../../server/composition/run-gateway.ts');
const { createLogger } = await import('../../server/platform/logger.ts');

const running = await runGateway(
  {
    boot: plan.boot,
    environment: plan.environment,
    logger: createLogger({ level: 'silent' as never, write: () => undefined }),
    automatic: false,
    checkStore: false,
  },
  () => undefined,
);
const answer = await fetch(`${running.current.url}/fax`, {
  headers: { 'X-API-Key': plan.boot.apiKey ?? '' },
});
const { items } = (await answer.json()) as { items: { id: string; delivery_state: string }[] };
await running.stop();
const names = fs.readdirSync(dataFolder);
const result: WayBackResult = {
  steps,
  faxes: items.map(({ id, delivery_state }) => `${id} ${delivery_state}`),
  aside: names.filter((name) => name.startsWith('before_restore_')).length,
  left: names.filter((name) => /^\.restore-|^restore-|^way-back/u.test(name)),
};
process.send?.(result);
process.disconnect?.();
