import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import type { ConsoleEventKind } from '../../shared/api/console.ts';
import { type Change, useChanges } from './live.ts';
import { queryClient } from './queries.ts';
import type { Placed, RowList } from './row-list.ts';

export interface ListedRows<Row extends Placed> {
  /** Begins the key under which lists are kept. */
  readonly name: string;
  /** What tells the lists of two filters apart. */
  readonly filter: object;
  /** Nothing is read while it is false. */
  readonly isOn?: boolean;
  readonly open: () => Promise<RowList<Row>>;
  /** The event that one row changed. */
  readonly kind: ConsoleEventKind;
  readonly read: (id: string) => Promise<Row>;
  /** Whether a row that is new belongs into the list. */
  readonly fits: (row: Row) => boolean;
  /** Every row belongs into the list. */
  readonly isAll: boolean;
  /** Hears where a row was put in. */
  readonly onInsert: (index: number) => void;
  /** Hears what a row of the list is now, and was; undefined for one that is new in it. */
  readonly onRow?: (row: Row, before: Row | undefined) => void;
}

/** The list of a filter, kept up to date row by row. */
export function useRowList<Row extends Placed>(rows: ListedRows<Row>) {
  const { name } = rows;
  const openings = useRef<Openings<Row>>({ heard: new Set(), of: new WeakMap() }).current;
  const opened = useQuery({
    queryKey: [name, rows.filter],
    enabled: rows.isOn ?? true,
    queryFn: () => hearing(openings, rows.open),
    placeholderData: keepPreviousData,
    structuralSharing: false,
  });
  const list = opened.data ?? null;
  useSyncExternalStore(list?.subscribe ?? subscribeToNothing, list?.version ?? noVersion);
  useListUpdates(list, rows, openings);
  // Nobody lays changes over a list that is not shown, so it is read again when it is.
  useEffect(
    () => () => void queryClient.invalidateQueries({ queryKey: [name], refetchType: 'none' }),
    [name],
  );
  return {
    list,
    error: opened.error,
    isChanging: opened.isPlaceholderData,
    retry: () => void opened.refetch(),
  };
}

const subscribeToNothing = () => () => {};
const noVersion = () => 0;

/** What is heard while lists are read: their answers may be older. */
interface Openings<Row extends Placed> {
  /** Ids, for each list that is not shown yet. */
  readonly heard: Set<Set<string>>;
  readonly of: WeakMap<RowList<Row>, Set<string>>;
}

async function hearing<Row extends Placed>(
  { heard, of }: Openings<Row>,
  open: () => Promise<RowList<Row>>,
): Promise<RowList<Row>> {
  const ids = new Set<string>();
  heard.add(ids);
  try {
    const list = await open();
    of.set(list, ids);
    return list;
  } catch (error) {
    heard.delete(ids);
    throw error;
  }
}

function useListUpdates<Row extends Placed>(
  list: RowList<Row> | null,
  rows: ListedRows<Row>,
  openings: Openings<Row>,
): void {
  const latest = useRef(rows);
  latest.current = rows;
  /** Rows being read, and whether they changed once more meanwhile. */
  const reading = useRef(new Map<string, boolean>());
  const apply = useCallback(
    ({ kind, id }: Change) => {
      if (kind !== latest.current.kind || id === null) return;
      for (const ids of openings.heard) ids.add(id);
      if (!list) return;
      if (reading.current.has(id)) return void reading.current.set(id, true);
      // Older than the rows that are here, in a list that every row belongs to.
      if (!list.has(id) && latest.current.isAll && isBelow(list, id)) return;
      void refresh(list, id, latest.current, reading.current);
    },
    [list, openings],
  );
  useChanges(apply);
  useEffect(() => {
    const ids = list && openings.of.get(list);
    if (!ids) return;
    openings.heard.delete(ids);
    openings.of.delete(list);
    // What is being read goes into the list before.
    reading.current = new Map();
    for (const id of ids) apply({ kind: latest.current.kind, id });
  }, [list, openings, apply]);
}

/** Ids are in the order of time. */
function isBelow<Row extends Placed>(list: RowList<Row>, id: string): boolean {
  const last = list.at(list.size - 1);
  return last !== undefined && !list.isWhole && id < last.id;
}

async function refresh<Row extends Placed>(
  list: RowList<Row>,
  id: string,
  { read, fits, onInsert, onRow }: ListedRows<Row>,
  reading: Map<string, boolean>,
): Promise<void> {
  try {
    do {
      reading.set(id, false);
      const row = await read(id);
      const before = list.find(id);
      const index = before || !fits(row) ? null : list.insert(row);
      if (index !== null) onInsert(index);
      if (index !== null || list.update(row)) onRow?.(row, before);
    } while (reading.get(id));
  } catch {
    // The stream tells of a lost connection and of what changed meanwhile; what is gone has no row to mend.
  } finally {
    reading.delete(id);
  }
}
