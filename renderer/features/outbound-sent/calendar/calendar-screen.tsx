import { useNavigate, useParams } from '@tanstack/react-router';
import { useCallback, useRef } from 'react';
import { useCursor } from '../../../parts/lists/list-cursor.ts';
import { ListFoot } from '../../../parts/lists/list-foot.tsx';
import { ListPanes } from '../../../parts/lists/list-panes.tsx';
import { useListSplit } from '../../../parts/lists/list-split.tsx';
import { ListOpening, ListProblem } from '../../../parts/lists/list-state.tsx';
import { ListTable, rowCount, TWO_LINES } from '../../../parts/lists/list-table.tsx';
import { useScreenTitle } from '../../../parts/window-title.ts';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { BEGIN } from '../../../ui/focus/places.ts';
import { formatCount } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../../ui/virtual-rows.tsx';
import { FaxDetails } from '../details/fax-details.tsx';
import { SentReader } from '../details/sent-reader.tsx';
import { useWithPages } from '../use-with-pages.ts';
import styles from './calendar.module.css';
import { useCalendarColumns } from './calendar-columns.tsx';
import { dayHeading } from './days.ts';
import { LaterBroadcasts } from './later-broadcasts.tsx';
import { useCalendar } from './use-calendar.ts';

const words = t.sent.calendar;
const foot = t.sent.foot;
const KEYS = [
  [['j', 'k'], foot.move],
  [['enter'], foot.open],
] as const;

const usualWidth = (width: number) => Math.min(Math.max(width * 0.28, 300), 400);
const LIMITS = { list: 300, beside: 860 };

/** Shows by day the faxes that wait for their time, and the details of the one that is open. */
export function CalendarScreen() {
  const { waitingId: faxId } = useParams({ from: '/framed/sent/calendar/{-$waitingId}' });
  useScreenTitle(words.title);
  const { list, calendar } = useCalendar();
  const rows = useRef<VirtualRowsHandle>(null);
  const count = rowCount(list);
  const today = calendar?.from ?? '';
  const columns = useCalendarColumns(today);
  const show = useShow();
  const [withPages, setWithPages] = useWithPages();
  const split = useListSplit('sent', usualWidth, LIMITS);
  const cursor = useCursor({
    screen: words.title,
    words: t.ui.listKeys,
    list,
    count,
    openId: faxId,
    rows,
    show,
  });
  const groupAt = useCallback(
    (index: number) => {
      const row = list.at(index);
      return row?.beginsDay ? dayHeading(row, today) : null;
    },
    [list, today],
  );
  return (
    <ListPanes
      list={
        <Pane label={words.list}>
          <CalendarHead calendar={calendar} />
          {calendar?.complete === false && <Notice tone="warn">{words.incomplete}</Notice>}
          {calendar && <LaterBroadcasts timeZone={calendar.time_zone} />}
          {list.items.length > 0 && (
            <ListTable
              label={words.list}
              {...{ list, count, columns, cursor, rows, groupAt }}
              leavesKeys={faxId !== undefined}
              rowHeight={TWO_LINES}
              rowClassName={styles['cells']}
            />
          )}
          {list.isOpening && <ListOpening error={list.error} retry={list.retry} />}
          {!list.isOpening && list.items.length === 0 && (
            <EmptyState icon="calendar" title={words.empty}>
              {words.emptySentence}
            </EmptyState>
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

/** Opens a fax beside the calendar, or none. */
function useShow() {
  const navigate = useNavigate();
  return (waitingId: string | undefined, replace = false) =>
    void navigate({ to: '/sent/calendar/{-$waitingId}', params: { waitingId }, replace });
}

function CalendarHead({ calendar }: { calendar: ReturnType<typeof useCalendar>['calendar'] }) {
  const navigate = useNavigate();
  return (
    <PaneHead
      title={words.title}
      level={1}
      count={<span role="status">{calendar === undefined ? '' : countText(calendar)}</span>}
    >
      <Button {...BEGIN} icon="back" onPress={() => void navigate({ to: '/sent/{-$sentId}' })}>
        {words.back}
      </Button>
    </PaneHead>
  );
}

/** The number of faxes, and the time zone where it is not that of the window. */
function countText({
  count,
  time_zone: zone,
}: NonNullable<ReturnType<typeof useCalendar>['calendar']>): string {
  const text = words.count(formatCount(count), count === 1);
  const isOwn = Intl.DateTimeFormat().resolvedOptions().timeZone === zone;
  return isOwn ? text : `${text}, ${words.zone(zone)}`;
}
