import type { DeliveryState } from '../../../shared/states.ts';
import type { ListedFax } from './listed-fax.ts';

/** The chips by which states are chosen; their names stand in the address. */
export const STATE_GROUPS = {
  ask: ['reconciliation_required'],
  going: ['ready', 'preparing', 'submitting', 'in_progress'],
  held: ['held'],
  failed: ['failed'],
} as const satisfies Record<string, readonly DeliveryState[]>;
export type StateGroup = keyof typeof STATE_GROUPS;

/** What the address says about the list. */
export interface SentFilter {
  /** Part of a number, file name or title. */
  readonly q: string;
  readonly groups: readonly StateGroup[];
  readonly isMine: boolean;
  /** Days as `2026-11-21`, both counted in; empty where open. */
  readonly since: string;
  readonly until: string;
}

interface Search {
  readonly q?: string;
  readonly state?: string;
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const dayOf = (text = '') => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

export function filterOf(search: Search): SentFilter {
  const names = search.state?.split(',') ?? [];
  return {
    q: search.q?.trim() ?? '',
    groups: (Object.keys(STATE_GROUPS) as StateGroup[]).filter((group) => names.includes(group)),
    isMine: search.by === 'me',
    since: dayOf(search.since),
    until: dayOf(search.until),
  };
}

/** Only what is set, so that the address stays short. */
export function searchOf(filter: SentFilter): Search {
  const { q, groups, isMine, since, until } = filter;
  return {
    ...(q && { q }),
    ...(groups.length > 0 && { state: groups.join() }),
    ...(isMine && { by: 'me' }),
    ...(since && { since }),
    ...(until && { until }),
  };
}

export function isFiltered(filter: SentFilter): boolean {
  return Object.keys(searchOf(filter)).length > 0;
}

const statesOf = (groups: readonly StateGroup[]): DeliveryState[] =>
  groups.flatMap((group) => STATE_GROUPS[group] as readonly DeliveryState[]);

/** Days are those of this computer. */
const startOf = (day: string, plusDays = 0) => {
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + plusDays);
  return time.toISOString();
};

/** The same for the gateway. */
export function queryOf({ q, groups, isMine, since, until }: SentFilter) {
  return {
    ...(q && { q }),
    ...(groups.length > 0 && { state: statesOf(groups).join() }),
    ...(isMine && { created_by: 'me' }),
    ...(since && { since: startOf(since) }),
    ...(until && { until: startOf(until, 1) }),
  };
}

/** Whether a fax that changed belongs into the list, as the gateway would say. */
export function fits(fax: ListedFax, filter: SentFilter, meId: string): boolean {
  const { q, groups, isMine, since, until } = filter;
  const text = q.toLocaleLowerCase();
  const texts = [fax.to, fax.fileName, ...fax.titles].map((it) => it.toLocaleLowerCase());
  const digits = /^[\d+()\-./\s]+$/u.test(text) ? text.replaceAll(/\D/gu, '') : '';
  return (
    (groups.length === 0 || statesOf(groups).includes(fax.delivery_state)) &&
    (!isMine || fax.created_by.id === meId) &&
    (since === '' || fax.created_at >= startOf(since)) &&
    (until === '' || fax.created_at < startOf(until, 1)) &&
    (text === '' || texts.some((it) => it.includes(text) || (digits !== '' && it.includes(digits))))
  );
}

type StateCounts = Readonly<Record<DeliveryState, number>>;
export type Counts = { readonly all: StateCounts; readonly mine: StateCounts };

export function countOf(counts: StateCounts, groups: readonly StateGroup[]): number {
  const states = groups.length === 0 ? (Object.keys(counts) as DeliveryState[]) : statesOf(groups);
  return states.reduce((sum, state) => sum + counts[state], 0);
}

/** How many faxes the filter has, where the counts by state tell it; null for searches and days. */
export function totalOf(filter: SentFilter, counts: Counts | undefined): number | null {
  const { q, groups, isMine, since, until } = filter;
  if (!counts || q !== '' || since !== '' || until !== '') return null;
  return countOf(isMine ? counts.mine : counts.all, groups);
}
