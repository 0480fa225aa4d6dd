import { useQuery } from '@tanstack/react-query';
import { access } from '../../../api/access.ts';
import type { PageRequest, Pages, PolicyPage } from './pages.ts';

const MOST = 200;

/** A short list of Access, read to its end. */
export function useWhole<Item>(list: {
  key: readonly unknown[];
  isOn?: boolean;
  /** Looks again so often. */
  everyMs?: number | false;
  read: (request: PageRequest, signal: AbortSignal) => Promise<PolicyPage<Item>>;
}): Pages<Item> {
  const found = useQuery({
    queryKey: ['access', ...list.key],
    enabled: list.isOn ?? true,
    staleTime: 0,
    refetchInterval: list.everyMs ?? false,
    queryFn: ({ signal }) => readWhole((request) => list.read(request, signal)),
  });
  return {
    items: found.data?.items ?? [],
    policyVersion: found.data?.policyVersion ?? 0,
    isOpening: !found.data,
    isWhole: true,
    isReading: found.isFetching,
    error: found.error,
    retry: () => void found.refetch(),
    more: () => {},
  };
}

async function readWhole<Item>(read: (request: PageRequest) => Promise<PolicyPage<Item>>) {
  const items: Item[] = [];
  const versions: number[] = [];
  let cursor: string | null = null;
  do {
    const page: PolicyPage<Item> = await read({ limit: MOST, ...(cursor ? { cursor } : {}) });
    items.push(...page.items);
    versions.push(page.policy_version ?? 0);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return { items, policyVersion: Math.min(...versions) };
}

export const useRoles = (isOn = true) =>
  useWhole({
    key: ['roles', 'whole'],
    isOn,
    read: (query, signal) => access.roles.listRoles({ query, signal }),
  });

export const useGroups = (isOn = true) =>
  useWhole({
    key: ['groups', 'whole'],
    isOn,
    read: (query, signal) => access.groups.listGroups({ query, signal }),
  });

export type Role = ReturnType<typeof useRoles>['items'][number];
export type Group = ReturnType<typeof useGroups>['items'][number];
