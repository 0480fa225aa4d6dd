import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { client } from '../../api/client.ts';
import { useReceives } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { ListOpening } from '../../parts/lists/list-state.tsx';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type InboxFilter, isOnlyJunk, isOnlyUnread } from './filter.ts';
import type { InboxList } from './use-inbox-list.ts';

/** Shown in place of rows: loading, an error, nothing received, or no matches. */
export function ListState(props: {
  list: InboxList;
  filter: InboxFilter;
  isFiltered: boolean;
  clear: () => void;
}) {
  const { list, filter, isFiltered, clear } = props;
  const isOn = useReceives();
  if (list.isOpening) return <ListOpening error={list.error} retry={list.retry} />;
  if (!isFiltered) return isOn === false ? <ReceivingOff /> : <NothingReceived />;
  if (isOnlyJunk(filter))
    return (
      <EmptyState
        icon="block"
        title={t.junk.empty}
        action={<Button onPress={clear}>{t.inbox.showAll}</Button>}
      >
        {t.junk.emptySentence}
      </EmptyState>
    );
  const isUnread = isOnlyUnread(filter);
  return (
    <EmptyState
      icon={isUnread ? 'inbox' : 'search'}
      title={isUnread ? t.inbox.noneUnread : t.inbox.noneFits}
      action={<Button onPress={clear}>{t.inbox.showAll}</Button>}
    >
      {isUnread ? t.inbox.noneUnreadSentence : t.inbox.noneFitsSentence}
    </EmptyState>
  );
}

/** Whoever sets up the providers can see how a fax comes in before the first one does. */
function NothingReceived() {
  const mayTest = usePermission('providers:write');
  const test = useMutation({ mutationFn: () => client.inbound.testInbound({ body: {} }) });
  const make = (
    <Button isPending={test.isPending} onPress={() => test.mutate()}>
      {t.inbox.makeTest}
    </Button>
  );
  return (
    <EmptyState icon="inbox" title={t.inbox.empty} action={mayTest && make}>
      {test.error ? sentenceOf(test.error) : t.inbox.emptySentence}
    </EmptyState>
  );
}

/** Nothing was received yet, and faxes cannot come in. */
function ReceivingOff() {
  const navigate = useNavigate();
  const maySet = usePermission('settings:read');
  const open = (
    <Button onPress={() => void navigate({ to: '/settings/{-$settingsPage}', params: {} })}>
      {t.inbox.toSettings}
    </Button>
  );
  return (
    <EmptyState icon="inbox" title={t.inbox.off} action={maySet && open}>
      {t.inbox.offSentence}
    </EmptyState>
  );
}
