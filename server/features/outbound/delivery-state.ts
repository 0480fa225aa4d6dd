import type { DeliveryState } from '../../../shared/states.ts';

/**
 * Every allowed change of a delivery state. `submitting` never leads back to `ready`: once a byte may have gone out, only
 * a report or a person decides. Terminal states never move.
 */
const ALLOWED: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  held: ['ready', 'cancelled'],
  ready: ['preparing', 'cancelled', 'held'],
  preparing: ['submitting', 'ready', 'failed'],
  submitting: ['in_progress', 'success', 'failed', 'reconciliation_required'],
  in_progress: ['success', 'failed', 'reconciliation_required'],
  reconciliation_required: ['success', 'failed', 'in_progress'],
  success: [],
  failed: [],
  cancelled: [],
};

export function mayMove(from: DeliveryState, to: DeliveryState): boolean {
  return ALLOWED[from].includes(to);
}

export function isTerminal(state: DeliveryState): boolean {
  return ALLOWED[state].length === 0;
}

export class ForbiddenMoveError extends Error {
  override name = 'ForbiddenMoveError';
}
