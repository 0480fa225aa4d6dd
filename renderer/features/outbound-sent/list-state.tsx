import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { filterOf, isFiltered, type SentFilter } from './filter.ts';

/** What stands in place of rows: loading, why it failed, nothing sent, nothing that fits. */
export function ListState(props: {
  filter: SentFilter;
  isLoading: boolean;
  error: unknown;
  retry: () => void;
  clear: (filter: SentFilter) => void;
}) {
  const { filter, isLoading, error, retry, clear } = props;
  if (isLoading) return <ListOpening error={error} retry={retry} />;
  if (!isFiltered(filter)) return <NothingSent />;
  const all = <Button onPress={() => clear(filterOf({}))}>{t.sent.clear}</Button>;
  return (
    <EmptyState icon="search" title={t.sent.noneFits} action={all}>
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
