import { useNavigate, useSearch } from '@tanstack/react-router';

/** What the address says about the list. */
export interface AuditFilter {
  /** Id of who did it. */
  readonly who: string;
  /** Room and verb, as the gateway writes it. */
  readonly what: string;
  /** Days as `2026-11-21`, both counted in; empty where open. */
  readonly since: string;
  readonly until: string;
  readonly isRefusedOnly: boolean;
}

export const NO_FILTER: AuditFilter = { who: '', what: '', since: '', until: '', isRefusedOnly: false };

const DAY = /^\d{4}-\d{2}-\d{2}$/u;
const dayOf = (text = '') => (DAY.test(text) && !Number.isNaN(Date.parse(text)) ? text : '');

export function useAuditFilter() {
  const { who = '', what = '', since, until, outcome } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter: AuditFilter = {
    who,
    what,
    since: dayOf(since),
    until: dayOf(until),
    isRefusedOnly: outcome === 'refused',
  };
  return {
    filter,
    setFilter: (next: AuditFilter) => void navigate({ to: '.', search: searchOf(next), replace: true }),
  };
}

/** Only what is set, so that the address stays short. */
function searchOf({ who, what, since, until, isRefusedOnly }: AuditFilter) {
  return {
    ...(who && { who }),
    ...(what && { what }),
    ...(since && { since }),
    ...(until && { until }),
    ...(isRefusedOnly && { outcome: 'refused' }),
  };
}

export function isFiltered(filter: AuditFilter): boolean {
  return Object.keys(searchOf(filter)).length > 0;
}

/** The same for the gateway. */
export function queryOf({ who, what, since, until, isRefusedOnly }: AuditFilter) {
  return {
    ...(who && { actor_id: who }),
    ...(what && { operation: what }),
    ...(since && { since: startOf(since, 0) }),
    ...(until && { until: startOf(until, 1) }),
    ...(isRefusedOnly && { outcome: 'refused' as const }),
  };
}

/** Days are those of this computer. */
function startOf(day: string, plusDays: number): string {
  const time = new Date(`${day}T00:00:00`);
  time.setDate(time.getDate() + plusDays);
  return time.toISOString();
}

/** Where the browser saves the list of a filter from, as a file. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'json'): string {
  return `/access/audit/export?${new URLSearchParams({ format, ...queryOf(filter) })}`;
}
