import { type RefObject, useEffect, useRef, useState } from 'react';
import type { List, Listed } from '../../api/lists/list.ts';
import { useActions } from '../../ui/actions.tsx';
import { keepPlace, placeIn } from '../../ui/list-places.ts';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';

/** Position of the keyboard cursor. The row counts; the index only while the row is not loaded, or when it went. */
interface Position {
  readonly list: string;
  readonly index: number;
  readonly id: string | null;
}

/** Opens a row beside the list, or none. */
export type ShowRow = (id: string | undefined, replace?: boolean) => void;

export interface Cursor {
  readonly active: number | null;
  /** The row whose details are shown. */
  readonly chosen: number | null;
  readonly moveTo: (index: number) => void;
  readonly open: (index: number) => void;
  readonly close: () => void;
}

/** Cursor of a list that reads on by key. */
export interface ReadingCursor extends Cursor {
  /** The row after which the next one comes; -1 before the first. */
  readonly before: number;
}

/** Returns the keyboard cursor of a list, which opens rows. With a row open, moving opens the next one. */
export function useCursor<Row extends Listed>(on: {
  /** Under which the keys are listed. */
  readonly screen: string;
  readonly words: { readonly next: string; readonly previous: string; readonly close: string };
  readonly list: List<Row>;
  readonly count: number;
  readonly openId: string | undefined;
  readonly rows: RefObject<VirtualRowsHandle | null>;
  readonly show: ShowRow;
}): ReadingCursor {
  const { screen, words, list, count, openId, rows, show } = on;
  const chosen = openId === undefined ? null : list.indexOf(openId);
  const [position, setPosition] = usePosition(list, count, chosen);
  const active = position ?? chosen;
  const open = (index: number) => {
    const id = list.at(index)?.id;
    if (id !== undefined && id !== openId) show(id, openId !== undefined);
    // The cursor follows the row that is open, in the same drawing of the screen.
    else setPosition(index);
  };
  const moveTo = (index: number) => (openId === undefined ? setPosition(index) : open(index));
  // An open row that left the list lies before the one that took its place, which comes next.
  const isBetween = openId !== undefined && chosen === null && active !== null;
  const before = isBetween ? active - 1 : (active ?? -1);
  const step = (next: number) => {
    rows.current?.focus();
    if (count > 0) moveTo(Math.min(Math.max(next, 0), count - 1));
  };
  const close = () => {
    setPosition(active);
    show(undefined);
    rows.current?.focus();
  };
  useActions(screen, [
    { id: 'next-row', label: words.next, icon: 'down', keys: 'j', run: () => step(before + 1) },
    {
      id: 'previous-row',
      label: words.previous,
      icon: 'up',
      keys: 'k',
      run: () => step(isBetween ? before : before - 1),
    },
    {
      id: 'close-row',
      label: words.close,
      icon: 'close',
      keys: 'escape',
      isDisabled: openId === undefined,
      run: close,
    },
  ]);
  return { active, chosen, before, moveTo, open, close };
}

/** The row that is open has the cursor; where the list lacks it, the cursor stays in its place. */
function usePosition<Row extends Listed>(list: List<Row>, count: number, chosen: number | null) {
  const [position, setPosition] = useState<Position | null>(() => {
    const { cursor } = placeIn(list.name);
    return cursor ? { list: list.name, ...cursor } : null;
  });
  const left = useRef(position);
  left.current = position;
  useEffect(
    () => () => {
      const { current } = left;
      if (current) keepPlace(current.list, { cursor: { index: current.index, id: current.id } });
    },
    [],
  );
  const index = chosen ?? (position && indexNow(position, list, count));
  const id = index === null ? null : (list.at(index)?.id ?? null);
  const now = index === null ? null : { list: list.name, index, id };
  // Rows came or went: later changes count from the present position.
  if (now?.index !== position?.index || now?.id !== position?.id || now?.list !== position?.list)
    setPosition(now);
  const set = (next: number | null) =>
    setPosition(next === null ? null : { list: list.name, index: next, id: list.at(next)?.id ?? null });
  return [index, set] as const;
}

/** The next row takes the place of one that went; in another list there is no position without its row. */
function indexNow<Row extends Listed>(position: Position, list: List<Row>, count: number): number | null {
  const index = position.id === null ? null : list.indexOf(position.id);
  if (index !== null) return index;
  if (position.list !== list.name || count === 0) return null;
  return Math.min(position.index, count - 1);
}
