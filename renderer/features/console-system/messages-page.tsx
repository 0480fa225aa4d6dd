import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { MAIL_TO_FAX_STATES, type MailToFaxState } from '../../../shared/states/mail-to-fax.ts';
import { messageCountsQuery, useMessages } from '../../api/mail-to-fax.ts';
import { usePermission } from '../../api/queries.ts';
import { type FilterCodec, onlySet, useListFilter } from '../../parts/lists/list-filter.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t as administration } from '../../texts/administration.ts';
import { t } from '../../texts/mail-to-fax.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { Pane, PaneHead } from '../../ui/pane.tsx';
import { messageColumns } from './message-columns.tsx';
import { MessageDetails } from './message-details.tsx';
import { OpenableList } from './openable-list.tsx';
import { StateTabs } from './state-tabs.tsx';
import styles from './system.module.css';

const words = t.mailToFax;

const FILTER: FilterCodec<MailToFaxState | null> = {
  fromAddress: ({ state }) => MAIL_TO_FAX_STATES.find((it) => it === state) ?? null,
  toAddress: (state) => onlySet({ state }),
};

/** Shows the e-mails to be sent as faxes, by state. */
export function MessagesPage() {
  const { filter: state, setFilter } = useListFilter(FILTER);
  const list = useMessages(state);
  const phone = usePhoneFormat();
  const columns = useMemo(() => messageColumns(phone), [phone]);
  const counts = useQuery(messageCountsQuery).data;
  return (
    <Pane label={administration.system.messages.title}>
      <PaneHead title={administration.system.messages.title} />
      <div className={styles['filters']}>
        <StateTabs
          states={MAIL_TO_FAX_STATES}
          words={words}
          counts={counts}
          warning={['waiting']}
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
          nothing={<NoMessages isFiltered={state !== null} />}
          details={(id, close) => <MessageDetails key={id} id={id} onClose={close} />}
        />
      )}
    </Pane>
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
