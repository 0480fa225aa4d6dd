import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MAIL_TO_FAX_STATES } from '../../../shared/states/mail-to-fax.ts';
import { messageCountsQuery, useMessages } from '../../api/mail-to-fax.ts';
import { usePermission } from '../../api/queries.ts';
import { useListFilter } from '../../parts/lists/list-filter.ts';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/mail-to-fax.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { messageColumns } from './message-columns.tsx';
import { MessageDetails } from './message-details.tsx';
import { StatePane, stateFilter } from './state-pane.tsx';

const words = t.mailToFax;

const FILTER = stateFilter(MAIL_TO_FAX_STATES);

/** Shows the e-mails to be sent as faxes, by state. */
export function MessagesPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = useMessages(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => messageColumns(phone), [phone]);
  const counts = useQuery(messageCountsQuery).data;
  return (
    <StatePane
      title={administration.system.messages.title}
      words={words}
      states={MAIL_TO_FAX_STATES}
      counts={counts}
      warning={['waiting']}
      state={state}
      onState={setFilter}
      list={list}
      columns={columns}
      nothing={<NoMessages isFiltered={state !== null} />}
      details={(id, close) => <MessageDetails key={id} id={id} onClose={close} />}
    />
  );
}

function NoMessages({ isFiltered }: { isFiltered: boolean }) {
  const maySetUp = usePermission('settings:read');
  if (isFiltered) return <EmptyState icon="search" title={words.none} />;
  const way = (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'e-mail-to-fax' }}>
      {words.toSettings}
    </Link>
  );
  return (
    <EmptyState icon="mail" title={words.empty} action={maySetUp && way}>
      {words.emptySentence}
    </EmptyState>
  );
}
