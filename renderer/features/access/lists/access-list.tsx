import { type ReactNode, useRef } from 'react';
import type { Listed } from '../../../api/lists/list.ts';
import { type Cursor, type ShowRow, useCursor } from '../../../parts/lists/list-cursor.ts';
import { ListOpening, ListProblem } from '../../../parts/lists/list-state.tsx';
import { type Column, ListTable, rowCount } from '../../../parts/lists/list-table.tsx';
import { t } from '../../../texts/access.ts';
import type { VirtualRowsHandle } from '../../../ui/virtual-rows.tsx';
import type { AccessRows } from './access-rows.ts';

/** One list of Access as a table; Enter or a press opens a row beside it. */
export function AccessList<Row extends Listed>(props: {
  label: string;
  list: AccessRows<Row>;
  columns: readonly Column<Row>[];
  /** The layout of the columns. */
  rowClassName: string | undefined;
  openId: string | undefined;
  onShow: ShowRow;
  /** In place of rows where there are none. */
  empty: ReactNode;
}) {
  const { label, list, columns, rowClassName, openId, onShow: show } = props;
  const rows = useRef<VirtualRowsHandle>(null);
  const count = rowCount(list);
  const cursor: Cursor = useCursor({ screen: label, words: t.access.rows, list, count, openId, rows, show });
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (list.items.length === 0) return props.empty;
  return (
    <>
      <ListTable {...{ label, list, count, columns, rowClassName, cursor, rows }} />
      <ListProblem list={list} />
    </>
  );
}
