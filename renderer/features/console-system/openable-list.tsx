import { type ReactNode, useState } from 'react';
import type { List, Listed } from '../../api/lists/list.ts';
import { ListProblem } from '../../parts/lists/list-state.tsx';
import { type Column, ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import styles from './system.module.css';

/** The rows of a list, and the one that is open below them, also when it does not belong to them any more. */
export function OpenableList<Row extends Listed>(props: {
  list: List<Row>;
  words: { readonly list: string; readonly more: string };
  columns: readonly Column<Row>[];
  /** In place of the rows where there are none. */
  nothing: ReactNode;
  details: (id: string, close: () => void) => ReactNode;
}) {
  const { list, words, columns, nothing, details } = props;
  const [active, setActive] = useState<number | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const open = (index: number) => {
    setActive(index);
    setShown(list.at(index)?.id ?? null);
  };
  const close = () => setShown(null);
  const chosen = shown === null ? null : list.indexOf(shown);
  return (
    <div className={styles['log']}>
      {list.items.length === 0 && list.isWhole ? (
        nothing
      ) : (
        <ListTable
          label={words.list}
          list={list}
          count={rowCount(list)}
          columns={columns}
          rowClassName={styles['deliveries']}
          cursor={{ active, chosen, moveTo: setActive, open, close }}
        />
      )}
      <ListProblem list={list} />
      <p className={styles['more']} role="status">
        {list.isLoadingMore && words.more}
      </p>
      {shown !== null && details(shown, close)}
    </div>
  );
}
