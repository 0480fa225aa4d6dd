import { type ReactNode, useDeferredValue, useState } from 'react';
import type { Listed, ListPage, PageRequest } from '../../api/lists/list.ts';
import { useList } from '../../api/lists/use-list.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { PaneBody } from '../../ui/pane.tsx';
import { LoadProblem } from '../load-problem.tsx';
import styles from './found-list.module.css';

/** Rows that are read on at once. */
const MORE = 60;

interface FoundListWords {
  readonly list: string;
  readonly search: string;
  readonly none: string;
  readonly noneSentence: string;
  readonly noMatch: string;
  readonly more: string;
}

/** Lists rows of a name and a note below a field that finds them. */
export function FoundList<Row extends Listed>(props: {
  /** Names the list for the queries of the console. */
  name: string;
  words: FoundListWords;
  openId: string | undefined;
  read: (request: PageRequest & { q?: string }, signal: AbortSignal) => Promise<ListPage<Row>>;
  nameOf: (row: Row) => string;
  noteOf: (row: Row) => ReactNode;
  onOpen: (id: string) => void;
}) {
  const { words } = props;
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const list = useList<Row, ListPage<Row>>({
    key: [props.name, 'list', q],
    read: (page, signal) => props.read({ ...page, ...(q && { q }) }, signal),
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
        {list.items.map((row) => (
          <li key={row.id} className={styles['row']} aria-current={row.id === props.openId || undefined}>
            <Button variant="link" onPress={() => props.onOpen(row.id)}>
              {props.nameOf(row)}
            </Button>
            <span className={styles['note']}>{props.noteOf(row)}</span>
          </li>
        ))}
      </ul>
      {!list.isWhole && !list.isOpening && (
        <Button onPress={() => list.loadTo(list.items.length + MORE)}>{words.more}</Button>
      )}
    </PaneBody>
  );
}
