import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { filterOf, type SentFilter, searchOf } from './filter.ts';

/** The filter stands in the address, so that loading again, going back and passing it on keep it. */
export function useFilter(): { filter: SentFilter; setFilter: (filter: SentFilter) => void } {
  const { q = '', state = '', by = '', since = '', until = '' } = useSearch({ strict: false });
  const navigate = useNavigate();
  const filter = useMemo(() => filterOf({ q, state, by, since, until }), [q, state, by, since, until]);
  return {
    filter,
    setFilter: (next) => void navigate({ to: '.', search: searchOf(next), replace: true }),
  };
}
