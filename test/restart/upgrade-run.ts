import type { EarlierInstallation } from '../../server/composition/upgrade.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { BUILT_UPGRADE } from '../setup/built-child.ts';
import { runChild } from './run-child.ts';

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
export function runUpgradeChild(plan: UpgradeChildPlan): Promise<UpgradeChildResult | null> {
  return runChild(BUILT_UPGRADE, plan);
}
