/** Basis of an amount: reported by the provider, or calculated by the rate card from the details of the call. */
export const COST_CERTAINTIES = ['reported', 'calculated'] as const;
export type CostCertainty = (typeof COST_CERTAINTIES)[number];

/** State of an amount: `estimated` before its end; `charged` while the provider may still report another amount; then `settled`. */
export const COST_STATES = ['estimated', 'charged', 'settled'] as const;
export type CostState = (typeof COST_STATES)[number];

/** Outcome of an attempt for the statistics of its route; `doubt` when the outcome is uncertain. */
export type AttemptOutcome = 'success' | 'failed' | 'doubt';
