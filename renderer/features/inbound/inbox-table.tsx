import { type RefObject, useCallback } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import type { Cursor } from '../../parts/lists/list-cursor.ts';
import { useReadAhead } from '../../parts/lists/list-table.tsx';
import { useMinute } from '../../parts/use-minute.ts';
import { t } from '../../texts/index.ts';
import { formatDay, usePhoneFormat } from '../../ui/format.ts';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import styles from './inbox-list.module.css';
import { InboxRow } from './inbox-row.tsx';
import type { InboxList } from './use-inbox-list.ts';

const ROW = 56;

/** The received faxes in two lines each, by day. */
export function InboxTable(props: {
  list: InboxList;
  count: number;
  rows: RefObject<VirtualRowsHandle | null>;
  cursor: Cursor;
  openId: string | undefined;
  onRead: (index: number) => void;
}) {
  const { list, cursor } = props;
  const phone = usePhoneFormat();
  const now = useMinute();
  const row = (index: number) => {
    const fax = list.at(index);
    return fax ? <InboxRow fax={fax} phone={phone} now={now} /> : <WaitingRow />;
  };
  return (
    <VirtualRows
      ref={props.rows}
      label={t.inbox.list}
      list={list}
      count={props.count}
      rowHeight={ROW}
      rowClassName={styles['row']}
      groupAt={useGroups(list.items, now)}
      active={cursor.active}
      chosen={cursor.chosen}
      leavesKeys={props.openId !== undefined}
      isBusy={list.isBusy}
      onActive={cursor.moveTo}
      onOpen={cursor.open}
      onEnter={props.onRead}
      onVisible={useReadAhead(list)}
      row={row}
    />
  );
}

/** The name of a day above its first fax. Another function whenever the list changed. */
function useGroups(faxes: readonly InboundFax[], now: Date): (index: number) => string | null {
  return useCallback(
    (index: number) => {
      const fax = faxes[index];
      if (!fax) return null;
      const before = faxes[index - 1];
      return before && dayOf(before) === dayOf(fax) ? null : dayName(fax.created_at, now);
    },
    [faxes, now],
  );
}

/** Caches the day of each row, because all are read on every change of the list. */
const days = new WeakMap<InboundFax, string>();

function dayOf(fax: InboundFax): string {
  const day = days.get(fax) ?? new Date(fax.created_at).toDateString();
  days.set(fax, day);
  return day;
}

function dayName(iso: string, now: Date): string {
  const day = new Date(iso);
  const name = formatDay(day, now);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (day.toDateString() === now.toDateString()) return t.inbox.today(name);
  return day.toDateString() === yesterday.toDateString() ? t.inbox.yesterday(name) : name;
}

function WaitingRow() {
  return (
    <span role="gridcell" className={styles['waiting']}>
      <span className="visually-hidden">{t.ui.loading}</span>
    </span>
  );
}
