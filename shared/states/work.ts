import { FIXED_WORDS } from '../fixed-words.ts';

/** The three states of a work item. */
export const WORK_STATES = ['open', 'acknowledged', 'done'] as const;
export type WorkState = (typeof WORK_STATES)[number];

/** States of a work item in more detail, with the words that people read. The first four are open. */
export const WORK_STATE_TEXT = FIXED_WORDS.workItem;
export type WorkStateKey = keyof typeof WORK_STATE_TEXT;
export const WORK_STATE_KEYS = Object.keys(WORK_STATE_TEXT) as [WorkStateKey, ...WorkStateKey[]];

/** Filter of the work queue: `open` stands for the first four. */
export const WORK_LIST_STATES = ['open', ...WORK_STATE_KEYS] as const;
export type WorkListState = (typeof WORK_LIST_STATES)[number];

/** Origin of the target of a work item. */
export const WORK_DUE_SOURCES = ['mailbox', 'installation'] as const;
export type WorkDueSource = (typeof WORK_DUE_SOURCES)[number];

/** Actions of a person on a work item. */
export const WORK_ACTIONS = ['assign', 'acknowledge', 'done', 'reopen'] as const;
export type WorkAction = (typeof WORK_ACTIONS)[number];
