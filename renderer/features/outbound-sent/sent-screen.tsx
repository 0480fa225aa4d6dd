import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { usePermission } from '../../api/queries.ts';
import { useCursor } from '../../parts/lists/list-cursor.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { ListFoot } from '../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../parts/lists/list-panes.tsx';
import { useListSplit } from '../../parts/lists/list-split.tsx';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount, TWO_LINES } from '../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatUpTo } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import type { FaxCount } from './counts.ts';
import { DayReports } from './day-reports.tsx';
import { FaxDetails } from './details/fax-details.tsx';
import { SentReader } from './details/sent-reader.tsx';
import { SENT_FILTER, totalOf } from './filter.ts';
import { Filters, useCounts } from './filters.tsx';
import { useSentColumns } from './sent-columns.tsx';
import styles from './sent-table.module.css';
import { type SentList, useSentList } from './use-sent-list.ts';
import { useWithPages } from './use-with-pages.ts';

const foot = t.sent.foot;
const KEYS = [
  [['j', 'k'], foot.move],
  [['enter'], foot.open],
] as const;

/** Width of the list beside pages and details, in px. */
const usualWidth = (width: number) => Math.min(Math.max(width * 0.28, 300), 400);

/** A state, a name and a time can be read in such a list, and beside it a page and the details. */
const LIMITS = { list: 300, beside: 860 };

/** Shows the list of sent faxes, and the details of the one that is open. */
export function SentScreen() {
  const { sentId: faxId } = useParams({ from: '/framed/sent/{-$sentId}' });
  useScreenTitle(t.sent.title);
  const filtering = useListFilter(SENT_FILTER);
  const { filter } = filtering;
  const rows = useRef<VirtualRowsHandle>(null);
  const list = useSentList(filter);
  const total = totalOf(filter, useCounts());
  const count = rowCount(list, total?.count);
  const columns = useSentColumns();
  const show = useShow();
  const { title, list: label } = t.sent;
  const words = t.ui.listKeys;
  const [withPages, setWithPages] = useWithPages();
  const split = useListSplit('sent', usualWidth, LIMITS);
  const cursor = useCursor({ screen: title, words, list, count, openId: faxId, rows, show });
  return (
    <ListPanes
      list={
        <Pane label={label}>
          <ListHead list={list} total={total} />
          <Filters {...filtering} />
          {list.items.length > 0 ? (
            <ListTable
              {...{ label, list, count, columns, cursor, rows }}
              leavesKeys={faxId !== undefined}
              rowHeight={TWO_LINES}
              rowClassName={styles['cells']}
            />
          ) : (
            <ListState list={list} isFiltered={filtering.isFiltered} clear={filtering.clear} />
          )}
          <ListProblem list={list} />
          <ListFoot keys={KEYS} />
        </Pane>
      }
      split={split}
      pages={
        faxId !== undefined &&
        withPages && <SentReader key={faxId} id={faxId} onClose={() => setWithPages(false)} />
      }
      details={
        faxId !== undefined && (
          <FaxDetails
            key={faxId}
            id={faxId}
            withPages={withPages}
            onPages={() => setWithPages(!withPages)}
            onClose={cursor.close}
            onOpen={show}
          />
        )
      }
    />
  );
}

/** Opens a fax beside the list, or none; the filter stays. */
function useShow() {
  const navigate = useNavigate();
  return (faxId: string | undefined, replace = false) =>
    void navigate({ to: '/sent/{-$sentId}', params: { sentId: faxId }, search: true, replace });
}

/** Name of the screen, how many faxes there are, and the way to a new one. */
function ListHead({ list, total }: { list: SentList; total: FaxCount | null }) {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const waiting = useCounts()?.scheduled.all ?? 0;
  return (
    <PaneHead
      wraps
      title={t.sent.title}
      level={1}
      count={<span role="status">{countText(list, total)}</span>}
    >
      <DayReports />
      <Button icon="calendar" onPress={() => void navigate({ to: '/sent/calendar/{-$waitingId}' })}>
        {t.sent.calendar.open(formatCount(waiting), waiting === 0)}
      </Button>
      <Button icon="group" onPress={() => void navigate({ to: '/sent/broadcasts/{-$broadcastId}' })}>
        {t.sent.broadcasts}
      </Button>
      {maySend && (
        <Button icon="plus" keys="n" onPress={() => void navigate({ to: '/send' })}>
          {t.sent.newFax}
        </Button>
      )}
    </PaneHead>
  );
}

function countText(list: SentList, total: FaxCount | null): string {
  const here = list.items.length;
  const { count, most } = list.isWhole ? { count: here, most: here + 1 } : (total ?? {});
  if (count !== undefined && most !== undefined) return t.sent.count(formatUpTo(count, most), count === 1);
  return list.isOpening ? '' : t.sent.moreThan(formatCount(here));
}

/** Shown in place of rows: loading, an error, nothing sent, or no matches. */
function ListState(props: { list: SentList; isFiltered: boolean; clear: () => void }) {
  const { list, isFiltered, clear } = props;
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (!isFiltered) return <NothingSent />;
  return (
    <EmptyState
      icon="search"
      title={t.sent.noneFits}
      action={<Button onPress={clear}>{t.sent.clear}</Button>}
    >
      {t.sent.noneFitsSentence}
    </EmptyState>
  );
}

function NothingSent() {
  const navigate = useNavigate();
  const maySend = usePermission('fax:send');
  const send = <Button onPress={() => void navigate({ to: '/send' })}>{t.sent.sendFirst}</Button>;
  return (
    <EmptyState icon="sent" title={t.sent.empty} action={maySend && send}>
      {t.sent.emptySentence}
    </EmptyState>
  );
}
