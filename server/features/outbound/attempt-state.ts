import type { AttemptPhase } from '../../../shared/states/outbound.ts';
import type { AttemptRow } from './types.ts';

/**
 * Every allowed change of an attempt's phase. `submitting` leads back to `preparing` only when the transport proved that
 * it took nothing. What has ended never moves.
 */
const ALLOWED: Readonly<Record<AttemptPhase, readonly AttemptPhase[]>> = {
  preparing: ['submitting', 'failed', 'cancelled', 'abandoned'],
  submitting: ['preparing', 'in_progress', 'success', 'failed', 'uncertain'],
  in_progress: ['success', 'failed', 'cancelled', 'uncertain'],
  uncertain: ['in_progress', 'success', 'failed'],
  success: [],
  failed: [],
  cancelled: [],
  abandoned: [],
};

export function mayEnter(from: AttemptPhase, to: AttemptPhase): boolean {
  return ALLOWED[from].includes(to);
}

/** The phases that an attempt can leave. */
export const OPEN_PHASES = (Object.keys(ALLOWED) as AttemptPhase[]).filter((phase) => !hasEnded(phase));

/** Returns true when an attempt has ended, so that the next dispatch begins another one. */
export function hasEnded(phase: AttemptPhase): boolean {
  return ALLOWED[phase].length === 0;
}

/** The step of the plan that comes next, counted from 1; one past the end when none is left. */
export function nextStep(newest: Pick<AttemptRow, 'phase' | 'step'> | null | undefined): number {
  if (!newest) return 1;
  return hasEnded(newest.phase) ? newest.step + 1 : newest.step;
}

/** A change that the table does not have, which is a bug of the caller. */
export class ForbiddenPhaseError extends Error {
  override name = 'ForbiddenPhaseError';
}
