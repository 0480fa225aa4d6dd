import { type FilterCodec, onlySet } from '../../parts/lists/list-filter.ts';

/** Filter in the address. */
export interface ContactsFilter {
  /** Words of name, organization, tags and note, or part of a number. */
  readonly q: string;
  readonly isBlocked: boolean;
  /** Contacts asked for no faxes. */
  readonly isOptedOut: boolean;
  /** Empty for any. */
  readonly tag: string;
}

export const CONTACTS_FILTER: FilterCodec<ContactsFilter> = {
  fromAddress: ({ q = '', state, tag = '' }) => ({
    q: q.trim(),
    isBlocked: state === 'blocked',
    isOptedOut: state === 'opted-out',
    tag: tag.trim(),
  }),
  toAddress: ({ q, isBlocked, isOptedOut, tag }) =>
    onlySet({ q, state: isBlocked ? 'blocked' : isOptedOut && 'opted-out', tag }),
};

/** The same for the gateway. */
export function queryOf({ q, isBlocked, isOptedOut, tag }: ContactsFilter) {
  return onlySet({ q, blocked: isBlocked && 'true', opted_out: isOptedOut && 'true', tag });
}
