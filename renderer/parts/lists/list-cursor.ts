import { type RefObject, useCallback, useState } from 'react';
import type { Placed, RowList } from '../../api/row-list.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';

/** Where the keyboard stands in the list; rows that come in before it move it along. */
export function usePlace(rows: RefObject<VirtualRowsHandle | null>) {
  const [place, setPlace] = useState<number | null>(null);
  const insertedAt = useCallback(
    (index: number) => {
      rows.current?.insertedAt(index);
      setPlace((now) => (now !== null && index <= now ? now + 1 : now));
    },
    [rows],
  );
  return { place, setPlace, insertedAt };
}

/** How the keyboard moves through the list and opens faxes. With a fax open, moving opens the next one. */
export function useCursor<Row extends Placed>(on: {
  /** Under which the keys are listed. */
  screen: string;
  list: RowList<Row> | null;
  count: number;
  faxId: string | undefined;
  place: number | null;
  setPlace: (index: number | null) => void;
  rows: RefObject<VirtualRowsHandle | null>;
  /** Opens a fax beside the list, or none. */
  show: (faxId: string | undefined, replace?: boolean) => void;
}) {
  const { screen, list, count, faxId, place, setPlace, rows, show } = on;
  const opened = faxId === undefined ? null : (list?.indexOf(faxId) ?? null);
  const active = place !== null && place < count ? place : opened;
  const open = (index: number) => {
    setPlace(index);
    const fax = list?.at(index);
    if (fax && fax.id !== faxId) show(fax.id, faxId !== undefined);
  };
  const moveTo = (index: number) => (faxId === undefined ? setPlace(index) : open(index));
  const step = (by: number) => {
    rows.current?.focus();
    if (count > 0) moveTo(Math.min(Math.max((active ?? -1) + by, 0), count - 1));
  };
  const close = () => {
    setPlace(active);
    show(undefined);
    rows.current?.focus();
  };
  const words = t.ui.listKeys;
  useActions(screen, [
    { id: 'next-fax', label: words.next, icon: 'down', keys: 'j', run: () => step(1) },
    { id: 'previous-fax', label: words.previous, icon: 'up', keys: 'k', run: () => step(-1) },
    {
      id: 'close-fax',
      label: words.close,
      icon: 'close',
      keys: 'escape',
      isDisabled: faxId === undefined,
      run: close,
    },
  ]);
  return { active, moveTo, open, close };
}
