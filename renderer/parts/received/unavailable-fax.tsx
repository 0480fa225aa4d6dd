import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../api/client.ts';
import { evidenceQuery, type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { queryClient, usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { formatCount, formatDuration, formatSpoken } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useMinute } from '../use-minute.ts';
import { useSourceName } from './fax-words.ts';
import styles from './received-fax.module.css';

/** In place of the pages: why they are not shown, when that changes, and what to do. `wasHere` is true when they were. */
export function UnavailableFax({ fax, wasHere }: { fax: InboundFax; wasHere: boolean }) {
  const words = t.inbox.viewer;
  return (
    <div className={styles['empty']}>
      {fax.status === 'waiting' ? (
        <Waiting fax={fax} />
      ) : fax.status === 'failed' ? (
        <Failed fax={fax} />
      ) : fax.may_open ? (
        <EmptyState icon="file" title={words.removed}>
          {words.removedSentence}
        </EmptyState>
      ) : wasHere ? (
        <AccessRemoved title={t.inbox.accessRemoved.pages} />
      ) : (
        <EmptyState icon="lock" title={words.hidden}>
          {words.hiddenSentence}
        </EmptyState>
      )}
    </div>
  );
}

/** In place of pages that the person saw a moment ago. */
export function AccessRemoved({ title }: { title: string }) {
  return (
    <div role="status" className={styles['empty']}>
      <EmptyState icon="lock" title={title}>
        {t.inbox.accessRemoved.goneSentence}
      </EmptyState>
    </div>
  );
}

function Waiting({ fax }: { fax: InboundFax }) {
  const words = t.inbox.waiting;
  const source = useSourceName()(fax);
  return (
    <EmptyState
      icon="download"
      title={words.title}
      action={<FetchAgain fax={fax} note={<Tries fax={fax} />} />}
    >
      {fax.problem ?? words.announced(source)} <NextTry fax={fax} /> {words.safe}
    </EmptyState>
  );
}

function NextTry({ fax: { retry_at } }: { fax: InboundFax }) {
  const now = useMinute();
  const words = t.inbox.waiting;
  const seconds = retry_at === null ? 0 : (Date.parse(retry_at) - now.getTime()) / 1_000;
  if (retry_at === null || seconds <= 0) return words.now;
  const minutes = Math.max(1, Math.round(seconds / 60)) * 60;
  return (
    <>
      {words.again}
      <b>{formatSpoken(retry_at)}</b>
      {words.inTime(formatDuration(minutes))}.
    </>
  );
}

/** Shows the number of tries so far. */
function Tries({ fax }: { fax: InboundFax }) {
  const tries = useQuery(evidenceQuery(fax.id)).data?.items.filter(({ kind }) => kind === 'attempt') ?? [];
  const last = tries.at(-1);
  if (!last) return null;
  const count = formatCount(tries.length);
  return (
    <p className={styles['note']}>
      {t.inbox.waiting.tried(count, tries.length === 1, formatSpoken(last.occurred_at))}
    </p>
  );
}

function Failed({ fax }: { fax: InboundFax }) {
  const words = t.inbox.failed;
  return (
    <EmptyState icon="alert" title={words.title} action={<FetchAgain fax={fax} note={<Tries fax={fax} />} />}>
      {fax.problem ?? words.sentence} {fax.can_fetch_again && words.again} {words.askSender}
    </EmptyState>
  );
}

/** Fetches the pages from the provider now, or shows who can. */
function FetchAgain({ fax, note }: { fax: InboundFax; note: ReactNode }) {
  const { id } = fax;
  const mayFetch = usePermission('providers:write');
  const fetching = useMutation({
    mutationFn: () => client.inbound.fetchInbound({ params: { id } }),
    onSuccess: (changed) => {
      queryClient.setQueryData(inboundQuery(id).queryKey, changed);
      void queryClient.invalidateQueries({ queryKey: ['inbound', id, 'evidence'] });
      announce(t.inbox.asked);
    },
  });
  if (!fax.can_fetch_again) return note;
  return (
    <div className={styles['fetch']}>
      {mayFetch ? (
        <Button icon="refresh" isPending={fetching.isPending} onPress={() => fetching.mutate()}>
          {t.inbox.fetchAgain}
        </Button>
      ) : (
        <p className={styles['note']}>{t.inbox.mayNotFetch}</p>
      )}
      {fetching.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(fetching.error)}
        </Notice>
      )}
      {note}
    </div>
  );
}
