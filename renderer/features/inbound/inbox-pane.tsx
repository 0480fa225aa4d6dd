import type { RefObject } from 'react';
import type { Cursor } from '../../parts/lists/list-cursor.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListProblem } from '../../parts/lists/list-state.tsx';
import { useMailboxes } from '../../parts/lists/use-mailboxes.ts';
import { PrintoutsToCheck } from '../../parts/printouts/printouts-to-check.tsx';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { BlockedSenders } from './blocked-senders.tsx';
import { Filters, type FiltersProps } from './filters.tsx';
import screen from './inbox-screen.module.css';
import { InboxTable } from './inbox-table.tsx';
import { ListState } from './list-state.tsx';
import type { InboxList } from './use-inbox-list.ts';

const foot = t.inbox.foot;
const KEYS = [
  [['j', 'k'], foot.move],
  [['enter'], foot.open],
  [['?'], foot.keys],
] as const;

/** The list with its filters and keys. */
export function InboxPane(props: {
  list: InboxList;
  count: number;
  filtering: Omit<FiltersProps, 'mailboxes'>;
  rows: RefObject<VirtualRowsHandle | null>;
  cursor: Cursor;
  onRead: (index: number) => void;
  openId: string | undefined;
}) {
  const { list, filtering } = props;
  const { filter, isFiltered, clear } = filtering;
  return (
    <div className={screen['list']}>
      <Pane label={t.inbox.list}>
        <PaneHead title={t.inbox.title} level={1} count={<span role="status">{countText(list)}</span>} />
        <Filters {...filtering} mailboxes={useMailboxes(list)} />
        <PrintoutsToCheck screen={t.inbox.title} />
        {filter.state === 'junk' && <BlockedSenders />}
        {list.items.length > 0 ? (
          <InboxTable {...props} />
        ) : (
          <ListState list={list} filter={filter} isFiltered={isFiltered} clear={clear} />
        )}
        <ListProblem list={list} />
        <ListFoot keys={KEYS} />
      </Pane>
    </div>
  );
}

function countText(list: InboxList): string {
  if (list.isOpening) return '';
  const here = list.items.length;
  return list.isWhole ? t.inbox.count(formatCount(here), here === 1) : t.inbox.moreThan(formatCount(here));
}
