import { type Ref, useCallback } from 'react';
import { t } from '../../texts/index.ts';
import { formatDay, usePhoneFormat } from '../../ui/format.ts';
import { VirtualRows, type VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import styles from './inbox-list.module.css';
import { InboxRow } from './inbox-row.tsx';
import type { InboxList } from './use-inbox-list.ts';
import { useMinute } from './use-minute.ts';

const ROW = 56;
/** Rows beyond those in sight that are loaded ahead. */
const AHEAD = 60;

/** The received faxes in two lines each, by day. */
export function InboxTable(props: {
  list: InboxList;
  active: number | null;
  chosen: number | null;
  isBusy: boolean;
  onActive: (index: number) => void;
  onOpen: (index: number) => void;
  onEnter: (index: number) => void;
  ref: Ref<VirtualRowsHandle>;
}) {
  const { list } = props;
  const phone = usePhoneFormat();
  const now = useMinute();
  const onVisible = useCallback((_first: number, last: number) => list.want(last + AHEAD), [list]);
  const groupAt = useGroups(list, now);
  const row = (index: number) => {
    const fax = list.at(index);
    return fax ? <InboxRow fax={fax} phone={phone} now={now} /> : <WaitingRow />;
  };
  return (
    <VirtualRows
      ref={props.ref}
      label={t.inbox.list}
      count={rowCount(list)}
      rowHeight={ROW}
      rowClassName={styles['row']}
      groupAt={groupAt}
      active={props.active}
      chosen={props.chosen}
      isBusy={props.isBusy}
      onActive={props.onActive}
      onOpen={props.onOpen}
      onEnter={props.onEnter}
      onVisible={onVisible}
      row={row}
    />
  );
}

/** A waiting row says that more will come. */
export function rowCount(list: InboxList): number {
  return list.isWhole ? list.size : list.size + 1;
}

/** The name of a day above its first fax. Another function whenever the list changed. */
function useGroups(list: InboxList, now: Date): (index: number) => string | null {
  const version = list.version();
  return useCallback(
    (index: number) => {
      // Of this state of the list.
      void version;
      const fax = list.at(index);
      if (!fax) return null;
      const before = list.at(index - 1);
      const day = dayOf(fax.created_at);
      return before && dayOf(before.created_at) === day ? null : dayName(fax.created_at, now);
    },
    [list, version, now],
  );
}

const dayOf = (iso: string) => new Date(iso).toDateString();

function dayName(iso: string, now: Date): string {
  const name = formatDay(new Date(iso), now);
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (dayOf(iso) === now.toDateString()) return t.inbox.today(name);
  return dayOf(iso) === yesterday.toDateString() ? t.inbox.yesterday(name) : name;
}

function WaitingRow() {
  return (
    <span role="gridcell" className={styles['waiting']}>
      <span className="visually-hidden">{t.inbox.loadingRow}</span>
    </span>
  );
}
