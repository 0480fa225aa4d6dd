/** Initial values of the columns that are filled after acceptance. */
export const INITIAL_OUTCOME = {
  reconciliation_reason: null,
  error: null,
  provider_sid: null,
  pages: null,
  tried_again_as: null,
  case_id: null,
  delivered_by: null,
  decided_by_name: null,
  decided_note: null,
  waits_for: null,
  held_reason: null,
  arrival_warning: null,
  arrival_proved: 0,
  over_limit: 0,
  together_at: null,
} as const;
