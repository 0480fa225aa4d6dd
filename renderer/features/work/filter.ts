import { WORK_VIEWS, type WorkView } from '../../../shared/api/work-shapes.ts';
import { WORK_STATES, type WorkState } from '../../../shared/states/work.ts';
import type { WorkItem } from '../../api/work.ts';
import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';

/** Filter in the address. */
export interface WorkFilter {
  readonly view: WorkView;
  readonly state: WorkState | null;
  /** Label of a mailbox; empty for all. */
  readonly mailbox: string;
  /** Searched text; empty for none. */
  readonly q: string;
}

export const WORK_FILTER: FilterCodec<WorkFilter> = {
  fromAddress: ({ view, state, mailbox = '', q = '' }) => ({
    view: WORK_VIEWS.find((it) => it === view) ?? 'todo',
    state: WORK_STATES.find((it) => it === state) ?? null,
    mailbox,
    q,
  }),
  toAddress: ({ view, state, mailbox, q }) => onlySet({ view: view !== 'todo' && view, state, mailbox, q }),
};

/** States of the person's own items that are still to do; used unless a state is chosen. */
const MINE = 'open,acknowledged';

/** Returns true for an item with something left to do under a filter; a list without *All* drops others at once. */
export function isToDo({ view }: Pick<WorkFilter, 'view'>, item: WorkItem): boolean {
  if (item.state === 'done') return false;
  return view !== 'todo' || item.is_mine || item.owner === null;
}

/** Returns true for an item that stays in a list when it changes; others leave it at once. */
export function isListed(filter: Pick<WorkFilter, 'view'>, item: WorkItem): boolean {
  if (filter.view === 'done') return item.state === 'done';
  return filter.view === 'all' || isToDo(filter, item);
}

/** Views whose items are all in one state. */
export const hasOneState = (view: WorkView): boolean =>
  view === 'unassigned' || view === 'overdue' || view === 'done';

/** The same for the gateway. */
export function queryOf({ view, state, mailbox, q }: WorkFilter) {
  const chosen = view === 'done' ? null : state;
  const states = chosen ?? (view === 'mine' ? MINE : null);
  return { view, ...onlySet({ state: states, mailbox, q }) };
}
