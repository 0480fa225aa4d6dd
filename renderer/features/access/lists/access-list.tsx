import { type ReactNode, useCallback, useRef, useState } from 'react';
import { sentenceOf } from '../../../api/sentence.ts';
import { ListOpening } from '../../../parts/lists/list-state.tsx';
import { t } from '../../../texts/access.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { VirtualRows, type VirtualRowsHandle } from '../../../ui/virtual-rows.tsx';
import type { Show } from '../use-show.ts';
import styles from './access-list.module.css';
import type { Pages } from './pages.ts';

const ROW = 40;
/** Rows beyond those in sight that are read ahead. */
const AHEAD = 40;

export interface Column<Item> {
  readonly id: string;
  readonly head: string;
  readonly cell: (item: Item) => ReactNode;
  /** Beside the name, in the quiet colour. */
  readonly isQuiet?: boolean;
  /** `wide` and `medium` columns go when there is no room for them. */
  readonly room?: 'medium' | 'wide';
}

/** One list of Access as a table, read on while it is scrolled; Enter or a press opens a row beside it. */
export function AccessList<Item extends { readonly id: string }>(props: {
  label: string;
  pages: Pages<Item>;
  columns: readonly Column<Item>[];
  /** The layout of the columns. */
  rowClassName: string | undefined;
  openId: string | undefined;
  onShow: Show;
  /** In place of rows where there are none. */
  blank: ReactNode;
}) {
  const { label, pages, columns, openId, onShow } = props;
  const { items, more } = pages;
  const rows = useRef<VirtualRowsHandle>(null);
  const [place, setPlace] = useState<number | null>(null);
  const found = items.findIndex(({ id }) => id === openId);
  const chosen = found < 0 ? null : found;
  const active = place !== null && place < items.length ? place : chosen;
  const last = items.length - 1;
  const onVisible = useReadAhead(last, more);
  const open = (index: number) => {
    setPlace(index);
    const id = items[index]?.id;
    if (id !== openId) onShow(id, openId !== undefined);
  };
  const moveTo = (index: number) => (openId === undefined ? setPlace(index) : open(index));
  useListKeys({
    label,
    isOpen: openId !== undefined,
    last,
    active,
    moveTo,
    rows,
    close: () => onShow(undefined),
  });
  if (pages.isOpening) return <ListOpening error={pages.error} retry={pages.retry} />;
  if (items.length === 0) return props.blank;
  return (
    <>
      <VirtualRows
        ref={rows}
        label={label}
        count={items.length}
        rowHeight={ROW}
        rowClassName={`${styles['cells']} ${props.rowClassName ?? ''}`}
        head={<Heads columns={columns} />}
        active={active}
        chosen={chosen}
        isBusy={pages.isReading}
        onActive={moveTo}
        onOpen={open}
        onVisible={onVisible}
        row={(index) => <Cells item={items[index]} columns={columns} />}
      />
      <ReadFailure pages={pages} />
    </>
  );
}

/** Reads on while the end of what is here comes into sight. */
function useReadAhead(last: number, more: () => void) {
  const latest = useRef(more);
  latest.current = more;
  return useCallback(
    (_first: number, end: number) => {
      if (end + AHEAD >= last) latest.current();
    },
    [last],
  );
}

function Heads<Item>({ columns }: { columns: readonly Column<Item>[] }) {
  return columns.map(({ id, head, room }) => (
    <span key={id} role="columnheader" className={styles['head']} data-room={room}>
      {head}
    </span>
  ));
}

function Cells<Item>({ item, columns }: { item: Item | undefined; columns: readonly Column<Item>[] }) {
  if (item === undefined) return null;
  return columns.map(({ id, cell, isQuiet, room }) => (
    <span key={id} role="gridcell" data-quiet={isQuiet || undefined} data-room={room}>
      {cell(item)}
    </span>
  ));
}

function ReadFailure({ pages }: { pages: Pages<unknown> }) {
  if (!pages.error) return null;
  return (
    <div className={styles['problem']}>
      <Notice
        tone="warn"
        isLive
        title={t.ui.pageBroke}
        action={<Button onPress={pages.retry}>{t.ui.tryAgain}</Button>}
      >
        {sentenceOf(pages.error)}
      </Notice>
    </div>
  );
}

function useListKeys(on: {
  label: string;
  isOpen: boolean;
  last: number;
  active: number | null;
  moveTo: (index: number) => void;
  close: () => void;
  rows: React.RefObject<VirtualRowsHandle | null>;
}) {
  const { label, isOpen, last, active, moveTo, close, rows } = on;
  const step = (by: number) => {
    rows.current?.focus();
    if (last >= 0) moveTo(Math.min(Math.max((active ?? -1) + by, 0), last));
  };
  const words = t.access.rows;
  useActions(label, [
    { id: 'next-row', label: words.next, icon: 'down', keys: 'j', run: () => step(1) },
    { id: 'previous-row', label: words.previous, icon: 'up', keys: 'k', run: () => step(-1) },
    {
      id: 'close-row',
      label: words.close,
      icon: 'close',
      keys: 'escape',
      isDisabled: !isOpen,
      run: () => {
        close();
        rows.current?.focus();
      },
    },
  ]);
}
