import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { useCursor, usePlace } from '../../parts/lists/list-cursor.ts';
import { RestOfList } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/sent.ts';
import { Keys } from '../../ui/keys.tsx';
import { Pane, PaneFoot } from '../../ui/pane.tsx';
import type { VirtualRowsHandle } from '../../ui/virtual-rows.tsx';
import { FaxDetails } from './details/fax-details.tsx';
import { totalOf } from './filter.ts';
import { Filters, useCounts } from './filters.tsx';
import { ListHead } from './list-head.tsx';
import { ListState } from './list-state.tsx';
import styles from './sent-screen.module.css';
import { rowCount, SentTable } from './sent-table.tsx';
import { useFaxList } from './use-fax-list.ts';
import { useFilter } from './use-filter.ts';

/** What was sent, and everything about the fax that is open. */
export function SentScreen() {
  const { faxId } = useParams({ strict: false });
  const { filter, setFilter } = useFilter();
  const rows = useRef<VirtualRowsHandle>(null);
  const { place, setPlace, insertedAt } = usePlace(rows);
  const { list, error, isChanging, retry } = useFaxList(filter, insertedAt);
  const total = totalOf(filter, useCounts());
  const count = list ? rowCount(list, total) : 0;
  const show = useShow();
  const cursor = useCursor({ screen: t.sent.title, list, count, faxId, place, setPlace, rows, show });
  return (
    <div className={styles['screen']} data-open={faxId !== undefined || undefined}>
      <div className={styles['list']}>
        <Pane label={t.sent.list}>
          <ListHead list={list} total={total} />
          <Filters filter={filter} onChange={setFilter} />
          {list && list.size > 0 ? (
            <SentTable
              ref={rows}
              list={list}
              total={total}
              active={cursor.active}
              chosen={faxId === undefined ? null : list.indexOf(faxId)}
              isBusy={isChanging}
              onActive={cursor.moveTo}
              onOpen={cursor.open}
            />
          ) : (
            <ListState filter={filter} isLoading={!list} error={error} retry={retry} clear={setFilter} />
          )}
          <RestOfList list={list} />
          <Foot />
        </Pane>
      </div>
      {faxId !== undefined && (
        <div className={styles['details']}>
          <FaxDetails key={faxId} id={faxId} onClose={cursor.close} onOpen={show} />
        </div>
      )}
    </div>
  );
}

/** Opens a fax beside the list, or none; the filter stays. */
function useShow() {
  const navigate = useNavigate();
  return (faxId: string | undefined, replace = false) =>
    void navigate({ to: '/sent/{-$faxId}', params: { faxId }, search: true, replace });
}

/** The keys of the list, once. */
function Foot() {
  const words = t.sent.foot;
  const keys: [string[], string][] = [
    [['j', 'k'], words.move],
    [['enter'], words.open],
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
