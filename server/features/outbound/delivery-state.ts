import type { DeliveryState } from '../../../shared/states/outbound.ts';

/**
 * Every allowed change of a delivery state. `submitting` and `in_progress` lead back to `ready` only when the transport
 * proved that it took nothing, or that no page left; else only a report or a person decides. Terminal states never move.
 */
const ALLOWED: Readonly<Record<DeliveryState, readonly DeliveryState[]>> = {
  held: ['ready', 'cancelled', 'failed'],
  ready: ['preparing', 'cancelled', 'held', 'failed'],
  preparing: ['submitting', 'ready', 'failed'],
  submitting: ['in_progress', 'success', 'failed', 'ready', 'reconciliation_required'],
  in_progress: ['success', 'failed', 'ready', 'reconciliation_required'],
  reconciliation_required: ['success', 'failed', 'in_progress'],
  success: [],
  failed: [],
  cancelled: [],
};

export function mayTransition(from: DeliveryState, to: DeliveryState): boolean {
  return ALLOWED[from].includes(to);
}

export function isTerminal(state: DeliveryState): boolean {
  return ALLOWED[state].length === 0;
}

export class ForbiddenTransitionError extends Error {
  override name = 'ForbiddenTransitionError';
}
