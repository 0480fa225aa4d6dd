/**
 * State of a received fax that a rule prints. `submitting` may have reached the printer; `doubtful` may have been printed and
 * cannot be checked, so it is never printed again automatically. `given` was accepted by a printer that reports no more.
 */
export const PRINT_STATE_TEXT = {
  waiting: 'Waiting to be printed',
  submitting: 'Being sent to the printer',
  accepted: 'At the printer',
  printed: 'Printed',
  given: 'Given to the printer',
  doubtful: 'Needs a check',
  failed: 'Not printed',
  canceled: 'Will not be printed',
} as const;
export type PrintState = keyof typeof PRINT_STATE_TEXT;
export const PRINT_STATES = Object.keys(PRINT_STATE_TEXT) as [PrintState, ...PrintState[]];

/** Decision of a person about a fax that was not printed, or may have been. */
export const PRINT_DECISIONS = ['printed', 'print_again', 'do_not_print'] as const;
export type PrintDecision = (typeof PRINT_DECISIONS)[number];
