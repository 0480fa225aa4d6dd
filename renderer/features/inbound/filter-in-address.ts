import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { filterOf, type InboxFilter, searchOf } from './filter.ts';

/** The filter stands in the address, so that loading again, going back and passing it on keep it. */
export function useFilter(): { filter: InboxFilter; setFilter: (filter: InboxFilter) => void } {
  const { q = '', state = '', mailbox = '', since = '', until = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = useMemo(
    () => filterOf({ q, state, mailbox, since, until }),
    [q, state, mailbox, since, until],
  );
  return {
    filter,
    setFilter: (next) => void navigate({ to: '.', search: searchOf(next), replace: true }),
  };
}
