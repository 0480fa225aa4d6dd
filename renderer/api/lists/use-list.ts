import {
  hashKey,
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { placeIn } from '../../ui/list-places.ts';
import { retryIntervalOf } from '../queries.ts';
import type { List, Listed, ListPage, PageRequest } from './list.ts';
import { nextMoment } from './list-changes.ts';
import { withoutRepeats } from './row-order.ts';
import { type LiveRows, useLiveRows } from './use-live-rows.ts';

/** Rows per page: small enough to load between two frames while scrolling. */
const PAGE = 60;
/** Rows per page after a far jump. No rows show until they are loaded, so the largest pages are used. */
const LARGE_PAGE = 200;

interface ListOptions<Row extends Listed, Page extends ListPage<Row>> {
  /** Names the list, with its filter. */
  readonly key: readonly unknown[];
  /** Nothing is read while it is false. */
  readonly isOn?: boolean;
  readonly read: (request: PageRequest, signal: AbortSignal) => Promise<Page>;
  /** Keeps rows up to date one by one. A list without it is read again when its key is invalidated. */
  readonly live?: LiveRows<Row>;
  /** Read to its end at once. */
  readonly isShort?: boolean;
  /** Reads it again so often, in milliseconds. */
  readonly intervalMs?: number | false;
}

/** Page with the details of its read. */
interface ReadPage<Page> {
  readonly page: Page;
  /** Of the list that it is a page of. */
  readonly name: string;
  /** Moment at which its read began. */
  readonly began: number;
}

type ReadPages<Page> = InfiniteData<ReadPage<Page>, PageRequest>;

/**
 * Loads any list page by page from the top, as far as the person scrolls. Loaded pages stay, because the index of a row
 * depends on the rows before it; rows are small and only those in sight are drawn. A list is read again as far as the
 * person last scrolled, and the old rows stay until the new ones are loaded.
 */
export function useList<Row extends Listed, Page extends ListPage<Row>>(
  options: ListOptions<Row, Page>,
): List<Row> & { readonly pages: readonly Page[] } {
  const { key, isOn = true, isShort = false } = options;
  const name = hashKey(key);
  const lastRow = useLastRowInView(name, isShort);
  const found = useInfiniteQuery<ReadPage<Page>, Error, ReadPages<Page>, readonly unknown[], PageRequest>({
    queryKey: key,
    enabled: isOn,
    // Changes are missed while the list is not shown.
    staleTime: 0,
    refetchInterval: (query) => retryIntervalOf(query) || (options.intervalMs ?? false),
    structuralSharing: false,
    ...(!isShort && { placeholderData: keepPreviousData<ReadPages<Page>> }),
    initialPageParam: firstRequest(isShort),
    queryFn: async ({ pageParam, signal }): Promise<ReadPage<Page>> => {
      const began = nextMoment();
      return { page: await options.read(pageParam, signal), name, began };
    },
    getNextPageParam: (_last, pages) => nextRequest(pages, lastRow.current),
  });
  const loadMore = useLoadMore(found, lastRow);
  const pages = found.data?.pages ?? NOTHING;
  const isWhole = pages.length > 0 && pages.at(-1)?.page.next_cursor === null;
  const read = useRows<Row, Page>(pages, options.live?.canMove);
  const items = useLiveRows({ key, name, live: options.live, read, first: pages[0], isWhole });
  const missing = Math.max(0, read.length - items.length);
  const isPlaceLoaded = !isShort && (isWhole || read.length > lastRow.place);
  return {
    name: pages[0]?.name ?? name,
    items,
    pages: useMemo(() => pages.map(({ page }) => page), [pages]),
    at: (index) => items[index],
    indexOf: useIndexOf(items),
    isWhole,
    isOpening: pages.length === 0 || (isShort && !isWhole),
    isBusy: found.isPlaceholderData || found.isRefetching,
    get isLoadingMore() {
      return found.isFetchingNextPage;
    },
    error: found.error,
    retry: () => (found.isFetchNextPageError ? void found.fetchNextPage() : void found.refetch()),
    loadTo: useCallback(
      (index) => {
        // The rows before the place are in sight until its own are loaded.
        if (isPlaceLoaded) lastRow.place = 0;
        lastRow.current = Math.max(index + missing, lastRow.place);
        loadMore();
      },
      [lastRow, loadMore, missing, isPlaceLoaded],
    ),
  };
}

const NOTHING: readonly never[] = [];

interface LastRow {
  /** Index of the last row to load. */
  current: number;
  /** Index of the row to which the person had scrolled on an earlier visit; 0 once it is loaded. A short list loads whole. */
  place: number;
}

/** Returns the last row in view, which starts at the place of an earlier visit. Each list begins at its top. */
function useLastRowInView(name: string, isShort: boolean): LastRow {
  const top = isShort ? Number.POSITIVE_INFINITY : (placeIn(name).top?.index ?? 0);
  const lastRow = useRef<LastRow>({ current: top, place: top });
  const of = useRef(name);
  if (of.current !== name) {
    of.current = name;
    lastRow.current = { current: top, place: top };
  }
  return lastRow.current;
}

const firstRequest = (isShort: boolean): PageRequest => ({ limit: isShort ? LARGE_PAGE : PAGE });

/** Returns the request for the next page; undefined at the end of the list and when the wanted row is loaded. */
function nextRequest<Row>(
  pages: readonly ReadPage<ListPage<Row>>[],
  lastRow: number,
): PageRequest | undefined {
  const cursor = pages.at(-1)?.page.next_cursor ?? null;
  const size = pages.reduce((sum, { page }) => sum + page.items.length, 0);
  if (cursor === null || size > lastRow) return undefined;
  return { limit: lastRow - size > LARGE_PAGE ? LARGE_PAGE : PAGE, cursor };
}

type ListQueryResult<Page> = UseInfiniteQueryResult<ReadPages<Page>>;

/** Reads page after page until the wanted row is here. */
function useLoadMore<Row, Page extends ListPage<Row>>(
  found: ListQueryResult<Page>,
  lastRow: { readonly current: number },
) {
  const latest = useRef(found);
  latest.current = found;
  const isReading = useRef(false);
  const isGone = useRef(false);
  const loadMore = useCallback(async () => {
    if (isReading.current) return;
    isReading.current = true;
    let now: Pick<
      ListQueryResult<Page>,
      'data' | 'isError' | 'isPlaceholderData' | 'fetchNextPage'
    > = latest.current;
    const isMissing = () =>
      now.data && !now.isError && !now.isPlaceholderData && nextRequest(now.data.pages, lastRow.current);
    while (!isGone.current && isMissing()) now = await now.fetchNextPage({ cancelRefetch: false });
    isReading.current = false;
  }, [lastRow]);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
    };
  }, []);
  // A list that was read again, or another one, may end before the rows in view.
  const { data } = found;
  useEffect(() => {
    if (data) void loadMore();
  }, [data, loadMore]);
  return useCallback(() => void loadMore(), [loadMore]);
}

/** The rows of all pages; of one page more only its own are added. */
function useRows<Row extends Listed, Page extends ListPage<Row>>(
  pages: readonly ReadPage<Page>[],
  canMove = false,
): readonly Row[] {
  const last = useRef<{ pages: readonly ReadPage<Page>[]; rows: readonly Row[] }>({ pages: [], rows: [] });
  return useMemo(() => {
    const { pages: before, rows } = last.current;
    const isLonger = pages.length > before.length && before.every((page, index) => page === pages[index]);
    const fresh = (isLonger ? pages.slice(before.length) : pages).flatMap(({ page }) => page.items);
    const all = isLonger ? rows.concat(fresh) : fresh;
    last.current = { pages, rows: canMove ? withoutRepeats(all) : all };
    return last.current.rows;
  }, [pages, canMove]);
}

/** Returns a function that finds the index of a row, trying its last index first. */
function useIndexOf(items: readonly Listed[]): (id: string) => number | null {
  const known = useRef(new Map<string, number>());
  return useCallback(
    (id) => {
      const before = known.current.get(id);
      if (before !== undefined && items[before]?.id === id) return before;
      const index = items.findIndex((row) => row.id === id);
      if (known.current.size > 100) known.current.clear();
      if (index >= 0) known.current.set(id, index);
      return index < 0 ? null : index;
    },
    [items],
  );
}
