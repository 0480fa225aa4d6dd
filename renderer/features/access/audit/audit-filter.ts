import { openedAddress } from '../../../api/page-token.ts';
import { daysOf, timesOf } from '../../../parts/lists/days.ts';
import { type FilterCodec, onlySet } from '../../../parts/lists/list-filter.ts';
import type { DateSpan } from '../../../ui/date-filter.tsx';

/** Filter in the address. */
export interface AuditFilter extends DateSpan {
  /** Id of who did it. */
  readonly who: string;
  /** Room and verb, as the gateway writes it; several with commas. */
  readonly what: string;
  /** Id of what it was done to. */
  readonly target: string;
  readonly isRefusedOnly: boolean;
}

export const AUDIT_FILTER: FilterCodec<AuditFilter> = {
  fromAddress: ({ who = '', what = '', of = '', outcome, ...days }) => ({
    who,
    what,
    target: of,
    isRefusedOnly: outcome === 'refused',
    ...daysOf(days),
  }),
  toAddress: ({ who, what, target, since, until, isRefusedOnly }) =>
    onlySet({ who, what, of: target, since, until, outcome: isRefusedOnly && 'refused' }),
};

/** The same for the gateway. */
export function queryOf({ who, what, target, isRefusedOnly, ...days }: AuditFilter) {
  const outcome = isRefusedOnly && 'refused';
  const chosen = onlySet({ actor_id: who, operation: what, target_id: target, outcome });
  return { ...chosen, ...timesOf(days) };
}

/** Returns the address from which the browser downloads the filtered list as a file. */
export function exportAddress(filter: AuditFilter, format: 'csv' | 'json'): string {
  return openedAddress(`/access/audit/export?${new URLSearchParams({ format, ...queryOf(filter) })}`);
}
