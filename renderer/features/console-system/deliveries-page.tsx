import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MAIL_STATES } from '../../../shared/states/intake.ts';
import { deliveryCountsQuery, useDeliveries } from '../../api/intake.ts';
import { usePermission } from '../../api/queries.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/mail.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { DeliveryDetails } from './delivery-details.tsx';
import { StatePane, stateFilter } from './state-pane.tsx';

const words = t.mail;

const FILTER = stateFilter(MAIL_STATES);

/** Shows the e-mail deliveries of received faxes, by state. */
export function DeliveriesPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = useDeliveries(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => deliveryColumns(phone), [phone]);
  const counts = useQuery(deliveryCountsQuery).data;
  return (
    <StatePane
      title={administration.system.deliveries.title}
      words={words}
      states={MAIL_STATES}
      counts={counts}
      warning={['uncertain', 'failed']}
      state={state}
      onState={setFilter}
      list={list}
      columns={columns}
      nothing={<NoDeliveries isFiltered={state !== null} />}
      details={(id, close) => <DeliveryDetails key={id} id={id} onClose={close} />}
    />
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
