import type { AnswerOf } from '../../shared/api/route.ts';
import type { workRoutes } from '../../shared/api/work.ts';

export type WorkItem = AnswerOf<typeof workRoutes.listWork>['items'][number];

/** Time before the due time at which a person is notified of their item. */
const NOTICE_AHEAD_MS = 10 * 60_000;

type DueItem = Pick<WorkItem, 'state' | 'due_at' | 'overdue'>;

/**
 * Returns true when an item is not acknowledged yet, and its due time is near but not reached. `now` is in epoch
 * milliseconds.
 */
export function isDueSoon({ state, due_at, overdue }: DueItem, now: number): boolean {
  if (state !== 'open' || due_at === null || overdue) return false;
  const left = Date.parse(due_at) - now;
  return left > 0 && left <= NOTICE_AHEAD_MS;
}

/** Returns true when an item is overdue or soon will be. */
export function isDue(item: DueItem, now: number): boolean {
  if (item.state !== 'open') return false;
  // An item reopened after it was acknowledged in time is no longer due: the gateway decides for due times that passed.
  return item.overdue || isDueSoon(item, now);
}

/** In how many milliseconds one of the items becomes due soon or stops being so; null when nothing is to come. */
export function nextCheckDelay(items: readonly DueItem[], now: number): number | null {
  const times = items
    .filter(({ state, overdue }) => state === 'open' && !overdue)
    .flatMap(({ due_at }) =>
      due_at === null ? [] : [Date.parse(due_at) - NOTICE_AHEAD_MS, Date.parse(due_at)],
    )
    .filter((time) => time > now);
  return times.length === 0 ? null : Math.min(...times) - now;
}
