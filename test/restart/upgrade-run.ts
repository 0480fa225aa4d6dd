import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { EarlierInstallation } from '../../server/composition/upgrade.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { BUILT_UPGRADE } from '../setup/built-child.ts';

export interface UpgradeChildPlan {
  readonly boot: BootOptions;
  readonly earlier: EarlierInstallation;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Step at which it is killed, from 1; null for none. */
  readonly killAt: number | null;
}

export interface UpgradeChildResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly noteCount: number;
  readonly steps: number;
  readonly ms: number;
  /** Largest resident memory of the process. */
  readonly maxBytes: number;
}

/**
 * Runs an upgrade in a process of its own, which was built before; null when it was killed at its step. Throws when it
 * fails.
 */
export async function runUpgradeChild(plan: UpgradeChildPlan): Promise<UpgradeChildResult | null> {
  const child = fork(BUILT_UPGRADE, [JSON.stringify(plan)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let errors = '';
  let result: UpgradeChildResult | null = null;
  child.stderr?.on('data', (chunk) => (errors += String(chunk)));
  child.on('message', (message) => {
    result = message as UpgradeChildResult;
  });
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  if (signal === 'SIGKILL') return null;
  if (code !== 0 || result === null) throw new Error(`the upgrade ended with ${code}: ${errors}`);
  return result;
}
