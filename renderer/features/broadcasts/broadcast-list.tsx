import { useDeferredValue, useState } from 'react';
import { type Broadcast, broadcasts } from '../../api/broadcasts.ts';
import { useList } from '../../api/lists/use-list.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount, formatDayAndTime } from '../../ui/format.ts';
import { PaneBody } from '../../ui/pane.tsx';
import styles from './broadcasts.module.css';

const words = t.broadcasts;
/** Rows that are read on at once. */
const MORE = 60;

/** Lists the broadcasts, newest first. */
export function BroadcastList(props: { openId: string | undefined; onOpen: (id: string) => void }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const list = useList<Broadcast, { items: Broadcast[]; next_cursor: string | null }>({
    key: ['broadcasts', 'list', q],
    read: (page, signal) => broadcasts.listBroadcasts({ query: { ...page, ...(q && { q }) }, signal }),
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
        {list.items.map(({ id, name, recipients, state, created_at }) => (
          <li key={id} className={styles['row']} aria-current={id === props.openId || undefined}>
            <Button variant="link" onPress={() => props.onOpen(id)}>
              {name}
            </Button>
            <span className={styles['quiet']}>
              {words.states[state]}, {words.people(formatCount(recipients), recipients === 1)},{' '}
              {formatDayAndTime(created_at)}
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
