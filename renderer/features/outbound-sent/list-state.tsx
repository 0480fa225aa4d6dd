import { useNavigate } from '@tanstack/react-router';
import { usePermission } from '../../api/queries.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { SentList } from './use-sent-list.ts';

/** Shown in place of rows: loading, an error, nothing sent, or no matches. */
export function ListState(props: { list: SentList; isFiltered: boolean; clear: () => void }) {
  const { list, isFiltered, clear } = props;
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (!isFiltered) return <NothingSent />;
  return (
    <EmptyState
      icon="search"
      title={t.sent.noneFits}
      action={<Button onPress={clear}>{t.sent.clear}</Button>}
    >
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
