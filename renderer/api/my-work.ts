import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { client } from './client.ts';
import { type Change, useChanges } from './live.ts';
import { readAgain } from './newest.ts';
import { queryClient, usePermission } from './queries.ts';

/** More than anybody has at a time; those due first are among them. */
const MAX_ITEMS = 200;
const KEY = ['my-work'];

export const refetchMyWork = () => readAgain(queryClient, { queryKey: KEY });

/**
 * Returns the person's open work items, the earliest due first; undefined while they load and without the permission to
 * read work.
 */
export function useMyOpenWork() {
  const mayRead = usePermission('work:read');
  const items = useQuery({
    queryKey: KEY,
    enabled: mayRead,
    refetchOnWindowFocus: 'always',
    queryFn: ({ signal }) =>
      client.work.listWork({ query: { view: 'mine', state: 'open', limit: MAX_ITEMS }, signal }),
  }).data?.items;
  useChanges(
    useCallback(({ kind }: Change) => {
      if (kind === 'work.changed') refetchMyWork();
    }, []),
  );
  return mayRead ? items : undefined;
}
