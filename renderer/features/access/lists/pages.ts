import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';

const AT_ONCE = 100;

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string;
}

export interface PolicyPage<Item> {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
  /** The security audit has none: nothing on it is changed. */
  readonly policy_version?: number;
}

export interface PagesOf<Item> {
  /** After `access`, with which everything is read again after a change. */
  readonly key: readonly unknown[];
  /** Nothing is read while it is false. */
  readonly isOn?: boolean;
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<PolicyPage<Item>>;
}

export interface Pages<Item> {
  readonly items: readonly Item[];
  /** Of the page that was read first: what changed since then makes a change stale. */
  readonly policyVersion: number;
  /** The first page is not here yet. */
  readonly isOpening: boolean;
  readonly isWhole: boolean;
  readonly isReading: boolean;
  readonly error: unknown;
  readonly retry: () => void;
  /** Reads the next page unless it is on its way. */
  readonly more: () => void;
}

/** A list of Access, page after page as far as it was looked at. */
export function usePages<Item>(list: PagesOf<Item>): Pages<Item> {
  const found = useInfiniteQuery({
    queryKey: ['access', ...list.key],
    enabled: list.isOn ?? true,
    staleTime: 0,
    placeholderData: keepPreviousData,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      list.read({ limit: AT_ONCE, ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    getNextPageParam: (page) => page.next_cursor ?? undefined,
  });
  const pages = found.data?.pages ?? [];
  return {
    items: pages.flatMap((page) => page.items),
    policyVersion: Math.min(...pages.map((page) => page.policy_version ?? Number.POSITIVE_INFINITY)),
    isOpening: !found.data,
    isWhole: found.isSuccess && !found.hasNextPage,
    isReading: found.isFetching,
    error: found.error,
    retry: () => void found.refetch(),
    more: () => {
      if (found.hasNextPage && !found.isFetching) void found.fetchNextPage();
    },
  };
}
