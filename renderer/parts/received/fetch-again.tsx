import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { client } from '../../api/client.ts';
import { type InboundFax, inboundQuery } from '../../api/inbound.ts';
import { queryClient, usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './received-fax.module.css';

/** Fetches the pages from the provider now, or shows who can. */
export function FetchAgain({ fax, note }: { fax: InboundFax; note: ReactNode }) {
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
