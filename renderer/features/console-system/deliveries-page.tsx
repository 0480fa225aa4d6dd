import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MAIL_STATES, type MailState } from '../../../shared/states/intake.ts';
import { deliveryCountsQuery, useDeliveries } from '../../api/intake.ts';
import { usePermission } from '../../api/queries.ts';
import { type FilterCodec, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/mail.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { deliveryColumns } from './delivery-columns.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { OpenableList } from './openable-list.tsx';
import { StateTabs } from './state-tabs.tsx';
import styles from './system.module.css';

const words = t.mail;

const FILTER: FilterCodec<MailState | null> = {
  fromAddress: ({ state }) => MAIL_STATES.find((it) => it === state) ?? null,
  toAddress: (state) => onlySet({ state }),
};

/** Shows the e-mail deliveries of received faxes, by state. */
export function DeliveriesPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = useDeliveries(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => deliveryColumns(phone), [phone]);
  const counts = useQuery(deliveryCountsQuery).data;
  return (
    <Pane label={administration.system.deliveries.title}>
      <PaneHead title={administration.system.deliveries.title} />
      <div className={styles['filters']}>
        <StateTabs
          states={MAIL_STATES}
          words={words}
          counts={counts}
          warning={['uncertain', 'failed']}
          state={state}
          onState={setFilter}
        />
      </div>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : (
        <OpenableList
          key={list.name}
          list={list}
          words={words}
          columns={columns}
          nothing={<NoDeliveries isFiltered={state !== null} />}
          details={(id, close) => <DeliveryDetails key={id} id={id} onClose={close} />}
        />
      )}
    </Pane>
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
