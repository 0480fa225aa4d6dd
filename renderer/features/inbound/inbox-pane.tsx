import type { RefObject } from 'react';
import { RestOfList } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { Keys } from '../../ui/keys.tsx';
import { Pane, PaneFoot, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import type { InboxFilter } from './filter.ts';
import { Filters } from './filters.tsx';
import styles from './inbox-list.module.css';
import screen from './inbox-screen.module.css';
import { InboxTable } from './inbox-table.tsx';
import { ListState } from './list-state.tsx';
import type { InboxList } from './use-inbox-list.ts';
import { useMailboxes } from './use-mailboxes.ts';

/** The list with its filters and keys. */
export function InboxPane(props: {
  list: InboxList | null;
  filter: InboxFilter;
  error: unknown;
  isChanging: boolean;
  retry: () => void;
  rows: RefObject<VirtualRowsHandle | null>;
  cursor: { active: number | null; moveTo: (index: number) => void; open: (index: number) => void };
  /** The row whose fax is open. */
  opened: number | null;
  onFilter: (filter: InboxFilter) => void;
  onRead: (index: number) => void;
}) {
  const { list, filter, error, isChanging, retry, rows, cursor, opened, onFilter, onRead } = props;
  const mailboxes = useMailboxes(list);
  return (
    <div className={screen['list']}>
      <Pane label={t.inbox.list}>
        <PaneHead
          title={t.inbox.title}
          level={1}
          count={<span role="status">{list && countText(list)}</span>}
        />
        <Filters filter={filter} mailboxes={mailboxes} onChange={onFilter} />
        {list && list.size > 0 ? (
          <InboxTable
            ref={rows}
            list={list}
            active={cursor.active}
            chosen={opened}
            isBusy={isChanging}
            onActive={cursor.moveTo}
            onOpen={cursor.open}
            onEnter={onRead}
          />
        ) : (
          <ListState filter={filter} isLoading={!list} error={error} retry={retry} onFilter={onFilter} />
        )}
        <RestOfList list={list} />
        <Foot />
      </Pane>
    </div>
  );
}

function countText(list: InboxList): string {
  const count = formatCount(list.size);
  return list.isWhole ? t.inbox.count(count, list.size === 1) : t.inbox.moreThan(count);
}

/** The keys of the list, once. */
function Foot() {
  const words = t.inbox.foot;
  const keys: [string[], string][] = [
    [['j', 'k'], words.move],
    [['enter'], words.open],
    [['?'], words.keys],
  ];
  return (
    <PaneFoot>
      {keys.map(([caps, word]) => (
        <span key={word} className={styles['foot']}>
          {caps.map((cap) => (
            <Keys key={cap} of={cap} />
          ))}
          {word}
        </span>
      ))}
    </PaneFoot>
  );
}
