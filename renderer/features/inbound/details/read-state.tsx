import type { InboundFax } from '../../../api/inbound.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatWhen } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { ReadMark } from '../viewer/use-read-mark.ts';
import styles from './fax-drawer.module.css';

/** Whether the person opened it; others have their own mark. */
export function ReadState({ fax, mark }: { fax: InboundFax; mark: ReadMark }) {
  const words = t.inbox.details;
  return (
    <section className={styles['section']}>
      <h3>{words.reading}</h3>
      <div className={styles['reading']}>
        <span>{fax.read_at === null ? words.notRead : words.readAt(formatWhen(fax.read_at))}</span>
        {fax.read_at !== null && (
          <Button variant="plain" keys="u" isPending={mark.isPending} onPress={() => mark.mutate(false)}>
            {words.markUnread}
          </Button>
        )}
      </div>
      {mark.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(mark.error)}
        </Notice>
      )}
    </section>
  );
}

/** The key works whether the details are open or not. */
export function useUnreadKey(fax: InboundFax, mark: ReadMark): void {
  useActions(t.inbox.thisFax, [
    {
      id: 'unread',
      label: t.inbox.details.markUnread,
      icon: 'undo',
      keys: 'u',
      isDisabled: fax.read_at === null || mark.isPending,
      run: () => mark.mutate(false),
    },
  ]);
}
