import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { MAIL_STATES, type MailState } from '../../../shared/states.ts';
import { type Delivery, deliveryCountsQuery, useDeliveries } from '../../api/intake.ts';
import type { List } from '../../api/lists/list.ts';
import { usePermission } from '../../api/queries.ts';
import { type FilterWords, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { ListOpening, ListProblem } from '../../parts/lists/list-state.tsx';
import { ListTable, rowCount } from '../../parts/lists/list-table.tsx';
import { t as house } from '../../texts/house.ts';
import { t } from '../../texts/mail.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { Tab, Tabs } from '../../ui/tabs.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import styles from './system.module.css';

const words = t.mail;

const FILTER: FilterWords<MailState | null> = {
  of: ({ state }) => MAIL_STATES.find((it) => it === state) ?? null,
  toAddress: (state) => onlySet({ state }),
};

/** What became of each received fax that was to go by e-mail, by state. */
export function DeliveriesPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = useDeliveries(state);
  return (
    <Pane label={house.system.deliveries.title}>
      <PaneHead title={house.system.deliveries.title} />
      <div className={styles['filters']}>
        <States state={state} onState={setFilter} />
      </div>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : (
        <Deliveries key={list.name} list={list} isFiltered={state !== null} />
      )}
    </Pane>
  );
}

function States(props: { state: MailState | null; onState: (state: MailState | null) => void }) {
  const { state, onState } = props;
  const counts = useQuery(deliveryCountsQuery).data;
  const all = counts && MAIL_STATES.reduce((sum, each) => sum + counts[each], 0);
  return (
    <Tabs label={words.filter}>
      <Tab isOn={state === null} onPress={() => onState(null)}>
        {words.all}
        {all !== undefined && <b>{formatCount(all)}</b>}
      </Tab>
      {MAIL_STATES.map((each) => (
        <Tab
          key={each}
          isOn={state === each}
          isWarning={(each === 'uncertain' || each === 'failed') && (counts?.[each] ?? 0) > 0}
          onPress={() => onState(each)}
        >
          {words.states[each]}
          {counts && <b>{formatCount(counts[each])}</b>}
        </Tab>
      ))}
    </Tabs>
  );
}

/** The rows, and the one that is open below them, also when it is in another state by now. */
function Deliveries({ list, isFiltered }: { list: List<Delivery>; isFiltered: boolean }) {
  const [active, setActive] = useState<number | null>(null);
  const [shown, setShown] = useState<string | null>(null);
  const phone = usePhoneFormat();
  const columns = useMemo(() => deliveryColumns(phone), [phone]);
  const open = (index: number) => {
    setActive(index);
    setShown(list.at(index)?.id ?? null);
  };
  const close = () => setShown(null);
  return (
    <div className={styles['log']}>
      {list.items.length === 0 && list.isWhole ? (
        <NoDeliveries isFiltered={isFiltered} />
      ) : (
        <ListTable
          label={words.list}
          list={list}
          count={rowCount(list)}
          columns={columns}
          rowClassName={styles['deliveries']}
          cursor={{
            active,
            chosen: shown === null ? null : list.indexOf(shown),
            moveTo: setActive,
            open,
            close,
          }}
        />
      )}
      <ListProblem list={list} />
      <p className={styles['more']} role="status">
        {list.isReadingOn && words.more}
      </p>
      {shown !== null && <DeliveryDetails key={shown} id={shown} onClose={close} />}
    </div>
  );
}

function NoDeliveries({ isFiltered }: { isFiltered: boolean }) {
  const maySetUp = usePermission('settings:read');
  if (isFiltered) return <EmptyState icon="search" title={words.none} />;
  const way = (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'e-mail' }}>
      {words.toConnectors}
    </Link>
  );
  return (
    <EmptyState icon="mail" title={words.empty} action={maySetUp && way}>
      {words.emptySentence}
    </EmptyState>
  );
}
