import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { client } from './client.ts';
import { type Change, useChanges } from './live.ts';
import { readAgain } from './newest.ts';
import { queryClient, usePermission } from './queries.ts';

/** More than anybody has at a time; those due first are among them. */
const MAX_ITEMS = 200;
const KEY = ['my-work'];

export const refetchMyWork = () => readAgain(queryClient, { queryKey: KEY });

/**
 * Returns the person's work items that are not done, the earliest due first; undefined while they load and without the
 * permission to read work.
 */
export function useMyWork() {
  const mayRead = usePermission('work:read');
  const items = useQuery({
    queryKey: KEY,
    enabled: mayRead,
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      client.work.listWork({
        query: { view: 'mine', state: ['open', 'acknowledged'], limit: MAX_ITEMS },
        signal,
      }),
  }).data?.items;
  useChanges(
    useCallback(({ kind }: Change) => {
      if (kind === 'work.changed') refetchMyWork();
    }, []),
  );
  return mayRead ? items : undefined;
}

/** Returns those of the person's work items that they have not acknowledged. */
export function useMyOpenWork() {
  const items = useMyWork();
  return useMemo(() => items?.filter(({ state }) => state === 'open'), [items]);
}
