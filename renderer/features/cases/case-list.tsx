import { useDeferredValue, useState } from 'react';
import { type CaseRow, cases } from '../../api/cases.ts';
import { useList } from '../../api/lists/use-list.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/cases.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';
import { PaneBody } from '../../ui/pane.tsx';
import styles from './cases.module.css';

const words = t.cases;
/** Rows that are read on at once. */
const MORE = 60;

/** Lists the cases, the one with the newest fax first. */
export function CaseList({ openId, onOpen }: { openId: string | undefined; onOpen: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const list = useList<CaseRow, { items: CaseRow[]; next_cursor: string | null }>({
    key: ['cases', 'list', q],
    read: async (page, signal) => {
      const { items, next_cursor } = await cases.listCases({ query: { ...page, ...(q && { q }) }, signal });
      return { items: items.map((item) => ({ ...item, id: item.case_id })), next_cursor };
    },
  });
  const isEmpty = !list.isOpening && list.items.length === 0;
  return (
    <PaneBody isPadded>
      <TextField
        label={words.search}
        isLabelHidden
        icon="search"
        placeholder={words.search}
        value={typed}
        onChange={setTyped}
      />
      <LoadProblem of={{ error: list.error, isFetching: list.isBusy, refetch: list.retry }} />
      {isEmpty && q === '' && (
        <EmptyState icon="group" title={words.none}>
          {words.noneSentence}
        </EmptyState>
      )}
      {isEmpty && q !== '' && <EmptyState icon="search" title={words.noMatch} />}
      <ul className={styles['rows']} aria-label={words.list}>
        {list.items.map(({ id, packets, newest }) => (
          <li key={id} className={styles['row']} aria-current={id === openId || undefined}>
            <Button variant="link" onPress={() => onOpen(id)}>
              {words.caseName(id)}
            </Button>
            <span className={styles['quiet']}>
              {words.packets(formatCount(packets), packets === 1)}, {formatDayAndTime(newest.created_at)}
            </span>
          </li>
        ))}
      </ul>
      {!list.isWhole && !list.isOpening && (
        <Button onPress={() => list.loadTo(list.items.length + MORE)}>{words.more}</Button>
      )}
    </PaneBody>
  );
}
