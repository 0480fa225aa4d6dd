import { memo, type ReactNode, type RefObject, useCallback } from 'react';
import type { List, Listed } from '../../api/lists/list.ts';
import { t } from '../../texts/index.ts';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import type { Cursor } from './list-cursor.ts';
import styles from './list-table.module.css';

const ROW = 40;
/** Height in px of rows whose cells may have a second line. */
export const TWO_LINES = 48;
/** Rows beyond those in sight that are read ahead. */
const AHEAD = 60;

export interface Column<Row> {
  readonly id: string;
  readonly head: string;
  /** True where the cells need no visible heading. */
  readonly isHeadHidden?: boolean;
  readonly cell: (row: Row) => ReactNode;
  /** Full text of a cell that is cut off. */
  readonly title?: (row: Row) => string | undefined;
  /** True for secondary text, in the muted color. */
  readonly isQuiet?: boolean;
  /** True for figures, which are aligned to the end of the column. */
  readonly isEnd?: boolean;
  /** Width that the table needs to show the column; always shown when left out. */
  readonly room?: 'medium' | 'wide';
}

/** A list in columns, read on while it is scrolled and as long as the whole list even while parts of it are not here. */
export function ListTable<Row extends Listed>(props: {
  label: string;
  list: List<Row>;
  /** See `rowCount`. */
  count: number;
  /** The same ones until they change, so that rows are not drawn again. */
  columns: readonly Column<Row>[];
  /** The layout of the columns. */
  rowClassName: string | undefined;
  /** In px. */
  rowHeight?: number;
  cursor: Cursor;
  /** See `VirtualRows`. */
  leavesKeys?: boolean;
  rows?: RefObject<VirtualRowsHandle | null>;
  /** See `VirtualRows`. */
  groupAt?: (index: number) => string | null;
}) {
  const { list, columns, cursor, rowHeight = ROW } = props;
  return (
    <VirtualRows
      ref={props.rows}
      label={props.label}
      list={list}
      count={props.count}
      rowHeight={rowHeight}
      rowClassName={`${styles['cells']} ${props.rowClassName ?? ''}`}
      head={<Heads columns={columns} />}
      {...(props.groupAt && { groupAt: props.groupAt })}
      active={cursor.active}
      chosen={cursor.chosen}
      leavesKeys={props.leavesKeys ?? false}
      isBusy={list.isBusy}
      onActive={cursor.moveTo}
      onOpen={cursor.open}
      onVisible={useReadAhead(list)}
      row={(index) => {
        const row = list.at(index);
        return row ? <Cells row={row} columns={columns} /> : <WaitingRow />;
      }}
    />
  );
}

/** Returns a callback for `VirtualRows` that loads more rows as the end of the loaded ones comes into sight. */
export function useReadAhead({
  loadTo,
}: Pick<List<Listed>, 'loadTo'>): (first: number, last: number) => void {
  return useCallback((_first, last) => loadTo(last + AHEAD), [loadTo]);
}

/** Returns the number of rows; at least `total`. Without it, one loading row stands for those to come. */
export function rowCount(list: Pick<List<Listed>, 'items' | 'isWhole'>, total = 0): number {
  const here = list.items.length;
  return list.isWhole ? here : Math.max(total, here + 1);
}

function WaitingRow() {
  return (
    <span role="gridcell" className={styles['waiting']}>
      <span className="visually-hidden">{t.ui.loading}</span>
    </span>
  );
}

function Heads<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return columns.map(({ id, head, isHeadHidden, isEnd, room }) => (
    <span
      key={id}
      role="columnheader"
      className={styles['head']}
      data-end={isEnd || undefined}
      data-room={room}
    >
      {isHeadHidden ? <span className="visually-hidden">{head}</span> : head}
    </span>
  ));
}

const Cells = memo(function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return columns.map(({ id, cell, title, isQuiet, isEnd, room }) => (
    <span
      key={id}
      role="gridcell"
      title={title?.(row)}
      data-quiet={isQuiet || undefined}
      data-end={isEnd || undefined}
      data-room={room}
    >
      {cell(row)}
    </span>
  ));
}) as <Row>(props: { row: Row; columns: readonly Column<Row>[] }) => ReactNode;
