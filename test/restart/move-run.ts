import type { MoveReport } from '../../server/composition/move.ts';
import type { BootOptions } from '../../server/config/boot.ts';
import { BUILT_MOVE } from '../setup/built-child.ts';
import { runChild } from './run-child.ts';

export interface MoveChildPlan {
  readonly boot: BootOptions;
  readonly to: 'postgres' | 'sqlite';
  /** Step at which it is killed, from 1; null for none. */
  readonly killAt: number | null;
  /** True: it is killed while it compares the rows of both databases. */
  readonly killComparing?: boolean;
}

export interface MoveChildResult {
  readonly report: MoveReport;
  readonly steps: number;
  readonly ms: number;
  /** Largest resident memory of the process. */
  readonly maxBytes: number;
}

/** Runs a move in a process of its own, which was built before; null when it was killed at its step. Throws when it fails. */
export function runMoveChild(plan: MoveChildPlan): Promise<MoveChildResult | null> {
  return runChild(BUILT_MOVE, plan);
}
