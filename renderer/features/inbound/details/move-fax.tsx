import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../api/client.ts';
import { type InboundFax, inboundTargetsQuery } from '../../../api/inbound.ts';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/index.ts';
import { Choice } from '../../../ui/choice.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-drawer.module.css';

/** A fax in no mailbox, or in a disabled one, gets one; nothing where the person may not move it. */
export function MoveFax({ fax }: { fax: InboundFax }) {
  const mayMove = usePermission('work:manage');
  const asked = useQuery({ ...inboundTargetsQuery(fax.id), enabled: mayMove });
  const targets = asked.data?.mailboxes ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const words = t.inbox.move;
  const queries = useQueryClient();
  const moving = useMutation({
    mutationFn: (mailbox: string) =>
      client.inbound.moveInbound({ params: { id: fax.id }, body: { mailbox } }),
    onSuccess: async ({ mailbox }) => {
      announce(words.moved(mailbox ?? ''));
      await queries.invalidateQueries({ queryKey: ['inbound', fax.id] });
    },
  });
  if (!asked.data) return <LoadProblem of={asked} title={words.title} />;
  if (targets.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h3>{words.title}</h3>
      <p>{fax.mailbox === null ? words.inNone : words.inDisabled(fax.mailbox)}</p>
      <Choice
        label={words.to}
        options={targets}
        value={chosen}
        placeholder={words.choose}
        onChange={setChosen}
      />
      <div className={styles['act']}>
        <MainButton
          variant="default"
          reason={chosen === null ? words.first : null}
          isPending={moving.isPending}
          onPress={() => chosen !== null && moving.mutate(chosen)}
        >
          {words.move}
        </MainButton>
      </div>
      {moving.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(moving.error)}
        </Notice>
      )}
    </section>
  );
}
