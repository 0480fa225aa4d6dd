import type { ActKind } from './acts.ts';

/** Key of each action on work items; undefined without one. */
export const KEYS = {
  acknowledge: 'e',
  take: 'o',
  assign: 'a',
  note: 'w',
  done: 'd',
  reopen: undefined,
} as const satisfies Readonly<Record<ActKind, string | undefined>>;

/** Key that marks items as done with the person's last note. */
export const LAST_NOTE_KEY = 'shift+d';
