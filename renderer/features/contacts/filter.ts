import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';

/** Filter in the address. */
export interface ContactsFilter {
  /** Words of name, organization and note, or part of a number. */
  readonly q: string;
  readonly isBlocked: boolean;
}

export const CONTACTS_FILTER: FilterCodec<ContactsFilter> = {
  fromAddress: ({ q = '', state }) => ({ q: q.trim(), isBlocked: state === 'blocked' }),
  toAddress: ({ q, isBlocked }) => onlySet({ q, state: isBlocked && 'blocked' }),
};

/** The same for the gateway. */
export function queryOf({ q, isBlocked }: ContactsFilter) {
  return onlySet({ q, blocked: isBlocked && 'true' });
}
