import {
  defaultRangeExtractor,
  useVirtualizer,
  type VirtualItem,
  type Virtualizer,
} from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useId,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import { BEGIN } from './focus/places.ts';
import { keepPlace, placeIn } from './list-places.ts';
import { type NamedRows, useAnchor } from './row-anchor.ts';
import styles from './virtual-rows.module.css';

const HEAD = 32;
const GROUP = 32;
const SPARE_ROWS = 8;
/** Browsers draw nothing beyond some 16 million px. */
const MAX_PIXELS = 16_000_000;

export interface VirtualRowsHandle {
  /** Puts the keyboard into the list. */
  focus(): void;
}

interface VirtualRowsProps {
  readonly label: string;
  /**
   * Identity of the rows, for lists whose rows come and go: the rows in view stay in place, unless the list is at its
   * top.
   */
  readonly list?: NamedRows;
  /** All rows, also those not loaded yet: the length of the scrollbar. */
  readonly count: number;
  /** In px, the same for every row. */
  readonly rowHeight: number;
  /** The layout of a row; the head has it too. */
  readonly rowClassName?: string | undefined;
  /** Column heads, which stay in sight. */
  readonly head?: ReactNode;
  /** Returns the heading above a row that begins a group; null for the others. Screen readers get it with the row. */
  readonly groupAt?: (index: number) => string | null;
  /** Row under the keyboard cursor. */
  readonly active: number | null;
  /** The row whose details are shown. */
  readonly chosen: number | null;
  /** True while arrows, Page keys, Home and End belong to what is open beside the list. */
  readonly leavesKeys?: boolean;
  readonly isBusy?: boolean;
  readonly onActive: (index: number) => void;
  readonly onOpen: (index: number) => void;
  /** Instead of `onOpen` for the Enter key. */
  readonly onEnter?: (index: number) => void;
  /** The rows in sight, and some around them. */
  readonly onVisible: (first: number, last: number) => void;
  /** The cells of one row. */
  readonly row: (index: number) => ReactNode;
  readonly ref?: Ref<VirtualRowsHandle>;
}

/** A long list of which only the rows in sight are drawn. Arrows, Page keys, Home and End move; Enter opens. */
export function VirtualRows(props: VirtualRowsProps) {
  const { label, rowHeight, rowClassName, head, active } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useRows(props, scroller);
  const shown = rows.getVirtualItems();
  const isActiveShown = active !== null && shown.some(({ index }) => index === active);
  const topAt = (index: number) => {
    const item = rows.measurementsCache[index];
    // Rows that are not measured yet come after all that are.
    return item ? topOf(item, props) : index * rowHeight;
  };
  useAnchor({ scroller, rows: props.list, range: rows.range, topAt });
  useImperativeHandle(props.ref, () => ({ focus: () => scroller.current?.focus({ preventScroll: true }) }));
  useReveal(props, scroller, topAt);
  usePlace(props.list, { scroller, rows, topAt });
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const target = event.target as HTMLElement;
    const row = target.closest<HTMLElement>('[data-index]');
    // A control in a row has a meaning of its own.
    if (row && !target.closest('[data-index] :is(label, button, a)'))
      props.onOpen(Number(row.dataset['index']));
  };
  return (
    <div
      {...BEGIN}
      ref={scroller}
      className={styles['grid']}
      data-columns={head !== undefined || undefined}
      role="grid"
      aria-label={label}
      aria-rowcount={props.count + (head ? 1 : 0)}
      aria-busy={props.isBusy || undefined}
      aria-activedescendant={isActiveShown ? `${id}${active}` : undefined}
      tabIndex={0}
      onKeyDown={(event) => moveByKey(event, props, scroller.current)}
      onClick={onClick}
    >
      {head && (
        <div role="rowgroup" className={styles['head']}>
          <div role="row" aria-rowindex={1} className={rowClassName}>
            {head}
          </div>
        </div>
      )}
      <div role="rowgroup" className={styles['track']} style={{ height: rows.getTotalSize() }}>
        {shown.map((item) => (
          <Row key={item.index} {...props} id={`${id}${item.index}`} item={item} />
        ))}
      </div>
    </div>
  );
}

function Row(props: VirtualRowsProps & { id: string; item: VirtualItem }) {
  const { id, item, head, active, chosen, rowHeight, rowClassName } = props;
  const { index } = item;
  const group = props.groupAt?.(index) ?? null;
  return (
    <>
      {group !== null && (
        <div className={styles['group']} aria-hidden style={placed(item, props, GROUP)}>
          {group}
        </div>
      )}
      <div
        id={id}
        role="row"
        aria-rowindex={index + (head ? 2 : 1)}
        aria-selected={index === chosen}
        data-index={index}
        data-active={index === active || undefined}
        className={`${styles['row']} ${rowClassName ?? ''}`}
        style={placed(item, props, rowHeight, group === null ? 0 : GROUP)}
      >
        {props.row(index)}
      </div>
    </>
  );
}

const placed = (item: VirtualItem, props: VirtualRowsProps, height: number, below = 0) => ({
  height,
  transform: `translateY(${topOf(item, props) + below}px)`,
});

const headHeight = ({ head }: VirtualRowsProps) => (head ? HEAD : 0);
const topOf = (item: VirtualItem, props: VirtualRowsProps) => item.start - headHeight(props);

function useRows(props: VirtualRowsProps, scroller: React.RefObject<HTMLDivElement | null>) {
  const { rowHeight, active, groupAt, onVisible } = props;
  const rows = useVirtualizer({
    count: Math.min(props.count, Math.floor(MAX_PIXELS / rowHeight)),
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight + groupHeight(groupAt, index),
    overscan: SPARE_ROWS,
    scrollMargin: headHeight(props),
    // The active row stays, so that readers find it wherever the list is scrolled.
    rangeExtractor: (range) => {
      const indexes = defaultRangeExtractor(range);
      if (active === null || active >= range.count || indexes.includes(active)) return indexes;
      return active < (indexes[0] ?? 0) ? [active, ...indexes] : [...indexes, active];
    },
  });
  // The beginnings of groups change with the rows.
  useLayoutEffect(() => {
    if (groupAt) rows.measure();
  }, [rows, groupAt]);
  const first = rows.range?.startIndex ?? 0;
  const last = rows.range?.endIndex ?? 0;
  useEffect(() => onVisible(first, last), [onVisible, first, last]);
  return rows;
}

const groupHeight = (groupAt: VirtualRowsProps['groupAt'], index: number) =>
  (groupAt?.(index) ?? null) === null ? 0 : GROUP;

/** Brings the active row into sight when it becomes another one; not when it only stands elsewhere. */
function useReveal(
  props: VirtualRowsProps,
  scroller: React.RefObject<HTMLDivElement | null>,
  topAt: (index: number) => number,
) {
  const { active, list, rowHeight, groupAt } = props;
  const head = headHeight(props);
  const row = active === null ? null : (list?.at(active)?.id ?? active);
  const latest = useRef(() => {});
  latest.current = () => {
    if (active === null || !scroller.current) return;
    const height = rowHeight + groupHeight(groupAt, active);
    reveal(scroller.current, { top: topAt(active), height, head });
  };
  const name = list?.name;
  useLayoutEffect(() => {
    void name;
    if (row !== null) latest.current();
  }, [row, name]);
}

/**
 * Restores the scroll position of a list that is opened again, as soon as its row is loaded and unless the person
 * scrolls first.
 */
function usePlace(
  list: NamedRows | undefined,
  on: {
    readonly scroller: React.RefObject<HTMLDivElement | null>;
    readonly rows: Virtualizer<HTMLDivElement, Element>;
    readonly topAt: (index: number) => number;
  },
) {
  const latest = useRef({ list, ...on });
  latest.current = { list, ...on };
  const wanted = useRef(list && placeIn(list.name).top);
  useLayoutEffect(() => {
    const { current: element } = latest.current.scroller;
    const { current: place } = wanted;
    if (!place || !element) return;
    const index = latest.current.list?.indexOf(place.id) ?? null;
    if (index === null) return;
    wanted.current = undefined;
    element.scrollTop = latest.current.topAt(index) + place.past;
  });
  useEffect(() => {
    const ended = new AbortController();
    const forget = () => {
      wanted.current = undefined;
    };
    const listening = { passive: true, signal: ended.signal };
    for (const type of ['wheel', 'touchmove', 'pointerdown'])
      latest.current.scroller.current?.addEventListener(type, forget, listening);
    // Some keys move in the list wherever the focus is.
    document.addEventListener('keydown', forget, listening);
    return () => ended.abort();
  }, []);
  useLayoutEffect(
    () => () => {
      const { list: left, rows, scroller, topAt } = latest.current;
      if (!left || !scroller.current) return;
      const { scrollTop } = scroller.current;
      const index = rows.getVirtualItemForOffset(scrollTop)?.index;
      const id = index === undefined ? undefined : left.at(index)?.id;
      if (index === undefined || id === undefined) return;
      keepPlace(left.name, { top: { id, index, past: scrollTop - topAt(index) } });
    },
    [],
  );
}

/** Scrolls as little as brings the row into sight, below the head. */
function reveal(scroller: HTMLElement, row: { top: number; height: number; head: number }): void {
  const lowest = row.top + row.height + row.head - scroller.clientHeight;
  if (row.top < scroller.scrollTop) scroller.scrollTop = row.top;
  else if (lowest > scroller.scrollTop) scroller.scrollTop = lowest;
}

function moveByKey(event: KeyboardEvent, props: VirtualRowsProps, scroller: HTMLElement | null): void {
  const { count, active, rowHeight, leavesKeys = false } = props;
  if (event.target !== scroller || event.ctrlKey || event.metaKey || event.altKey || count === 0) return;
  if (event.key === 'Enter' && active !== null) {
    event.preventDefault();
    return (props.onEnter ?? props.onOpen)(active);
  }
  if (leavesKeys) return;
  const page = Math.max(1, Math.floor((scroller?.clientHeight ?? 0) / rowHeight) - 2);
  const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  const now = active ?? -1;
  const next = event.key === 'Home' ? 0 : event.key === 'End' ? count - 1 : now + (steps[event.key] ?? 0);
  if (next === now && !['Home', 'End'].includes(event.key)) return;
  event.preventDefault();
  props.onActive(Math.min(Math.max(next, 0), count - 1));
}
