/** Reasons why a console terminal ends, in words. */
export const TERMINAL_ENDS = {
  closed: 'it was closed',
  exited: 'exit was typed',
  window_closed: 'its window was closed',
  idle: 'nothing was typed for 15 minutes',
  session_ended: 'the session ended',
  permission_lost: 'the permission was removed',
  turned_off: 'the terminal was turned off',
  stopped: 'the gateway stopped',
  failed: 'its process ended',
} as const;
export type TerminalEnd = keyof typeof TERMINAL_ENDS;

export const TERMINAL_END_KINDS = Object.keys(TERMINAL_ENDS) as [TerminalEnd, ...TerminalEnd[]];

export const isTerminalEnd = (reason: string): reason is TerminalEnd => Object.hasOwn(TERMINAL_ENDS, reason);
