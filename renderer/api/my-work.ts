import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { client } from './client.ts';
import { usePermission } from './queries.ts';
import { readSoon } from './read-soon.ts';

/** More than anybody has at a time; those due first are among them. */
const MAX_ITEMS = 200;
const KEY = ['my-work'];

/** Reads the person's items again soon, as `work.changed` events and passing due times require. */
export const refetchMyWork = () => readSoon(KEY);

/**
 * Returns the person's work items that are not done, the earliest due first; undefined while they load and without the
 * permission to read work.
 */
export function useMyWork() {
  const mayRead = usePermission('work:read');
  const { data } = useQuery({
    queryKey: KEY,
    enabled: mayRead,
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      client.work.listWork({
        query: { view: 'mine', state: ['open', 'acknowledged'], limit: MAX_ITEMS },
        signal,
      }),
  });
  return mayRead ? data?.items : undefined;
}

/** Returns those of the person's work items that they have not acknowledged. */
export function useMyOpenWork() {
  const items = useMyWork();
  return useMemo(() => items?.filter(({ state }) => state === 'open'), [items]);
}
