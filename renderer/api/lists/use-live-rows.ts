import type { QueryKey } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useSyncExternalStore } from 'react';
import type { ConsoleEventKind } from '../../../shared/api/console-events.ts';
import { type Change, useChanges } from '../live.ts';
import { queryClient } from '../queries.ts';
import type { Listed } from './list.ts';
import { createListChanges, type ListChanges } from './list-changes.ts';
import { applyChanges, type IsBefore } from './row-order.ts';

/** Options for keeping the rows of a list up to date. */
export interface LiveRows<Row> {
  /** The event that one row changed. */
  readonly kind: ConsoleEventKind;
  /** Of these rows those that fit the list's filter; or, without the filter, those that can be seen. */
  readonly fetchRows: (ids: readonly string[], underFilter: boolean) => Promise<readonly Row[]>;
  /** Every row fits. */
  readonly isUnfiltered: boolean;
  readonly isBefore: IsBefore<Row>;
  /** True when a change of a row can move it. It moves when the list is read again. */
  readonly canMove?: boolean;
  /** Returns true for a row that leaves the list at once when it does not fit any more; others stay in place. */
  readonly leaves?: (row: Row) => boolean;
  /** Hears what a row of the list is now, and was; undefined for one that is new in it. */
  readonly onRow?: (row: Row, before: Row | undefined) => void;
}

interface LiveParts<Row> {
  readonly key: QueryKey;
  readonly name: string;
  readonly live: LiveRows<Row> | undefined;
  /** As they were read. */
  readonly read: readonly Row[];
  /** The page with which the read began. */
  readonly first: { readonly name: string; readonly began: number } | undefined;
  readonly isWhole: boolean;
}

/** Returns the rows of a list with the changes received since they were read. */
export function useLiveRows<Row extends Listed>(parts: LiveParts<Row>): readonly Row[] {
  const { name, live, read, first, isWhole } = parts;
  const shown = useRef<readonly Row[]>(read);
  const latest = useRef(parts);
  latest.current = parts;
  const changes = useMemo(() => createChanges(name, latest, shown), [name]);
  useRowEvents(changes, live?.kind);
  const version = useSyncExternalStore(changes.subscribe, changes.version);
  const began = first?.began ?? 0;
  // While another filter is on its way, rows of the one before are shown as they were last.
  const isOwn = first === undefined || first.name === name;
  const isBefore = live?.isBefore;
  const canMove = live?.canMove ?? false;
  const leaves = useRef(live?.leaves);
  leaves.current = live?.leaves;
  const items = useMemo(() => {
    void version;
    const on = { isBefore, isWhole, canMove, leaves: (row: Row) => leaves.current?.(row) ?? false };
    return isBefore ? applyChanges(read, changes.since(began), { ...on, isBefore }) : read;
  }, [read, changes, version, began, isWhole, isBefore, canMove]);
  if (isOwn) shown.current = items;
  return shown.current;
}

function createChanges<Row extends Listed>(
  name: string,
  latest: { readonly current: LiveParts<Row> },
  shown: { readonly current: readonly Row[] },
): ListChanges<Row> {
  /** As it is called for this filter, also while another one is chosen. */
  const { key, live } = latest.current;
  const listed = (id: string) => shown.current.find((row) => row.id === id);
  return createListChanges<Row>({
    isUnfiltered: live?.isUnfiltered ?? true,
    fetchRows: (ids, underFilter) => live?.fetchRows(ids, underFilter) ?? Promise.resolve([]),
    mayBeListed: (id) =>
      listed(id) !== undefined || queryClient.isFetching({ queryKey: key, exact: true }) > 0,
    readAgain: () => void queryClient.invalidateQueries({ queryKey: key, exact: true }),
    onChange: ({ row, fits }) => {
      if (latest.current.name !== name) return;
      const before = listed(row.id);
      const last = shown.current.at(-1);
      const isReached = latest.current.isWhole || (last !== undefined && live?.isBefore(row, last));
      if (before || (fits && isReached)) latest.current.live?.onRow?.(row, before);
    },
  });
}

function useRowEvents<Row extends Listed>(
  changes: ListChanges<Row>,
  kind: ConsoleEventKind | undefined,
): void {
  useEffect(() => {
    changes.open();
    return () => changes.close();
  }, [changes]);
  useChanges(
    useCallback(
      (change: Change) => {
        if (kind !== undefined && change.kind === kind && change.id !== null) changes.queueRow(change.id);
      },
      [changes, kind],
    ),
  );
}
