import { daysOf, timesOf } from '../../../parts/lists/days.ts';
import { type FilterWords, onlySet } from '../../../parts/lists/list-filter.ts';
import type { DateSpan } from '../../../ui/date-filter.tsx';

/** What the address says about the list. */
export interface AuditFilter extends DateSpan {
  /** Id of who did it. */
  readonly who: string;
  /** Room and verb, as the gateway writes it. */
  readonly what: string;
  readonly isRefusedOnly: boolean;
}

export const AUDIT_FILTER: FilterWords<AuditFilter> = {
  of: ({ who = '', what = '', outcome, ...days }) => ({
    who,
    what,
    isRefusedOnly: outcome === 'refused',
    ...daysOf(days),
  }),
  toAddress: ({ who, what, since, until, isRefusedOnly }) =>
    onlySet({ who, what, since, until, outcome: isRefusedOnly && 'refused' }),
};

/** The same for the gateway. */
export function queryOf({ who, what, isRefusedOnly, ...days }: AuditFilter) {
  const chosen = onlySet({ actor_id: who, operation: what, outcome: isRefusedOnly && 'refused' });
  return { ...chosen, ...timesOf(days) };
}

/** Where the browser saves the list of a filter from, as a file. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'json'): string {
  return `/access/audit/export?${new URLSearchParams({ format, ...queryOf(filter) })}`;
}
