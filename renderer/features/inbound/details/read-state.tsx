import { useQuery } from '@tanstack/react-query';
import { type InboundFax, readersQuery } from '../../../api/inbound.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import type { ReadMark } from '../../../parts/received/use-read-mark.ts';
import { t } from '../../../texts/index.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-drawer.module.css';

/** Shows whether the fax was read, by this person or by anybody where reading is shared, and by whom. */
export function ReadState({ fax, mark }: { fax: InboundFax; mark: ReadMark }) {
  const words = t.inbox.details;
  return (
    <section className={styles['section']}>
      <h3>{words.reading}</h3>
      <div className={styles['reading']}>
        <span>{fax.read_at === null ? words.notRead : words.readAt(formatWhen(fax.read_at))}</span>
        {fax.read_at !== null && (
          <Button variant="plain" keys="shift+u" isPending={mark.isPending} onPress={() => mark.set(false)}>
            {words.markUnread}
          </Button>
        )}
      </div>
      <Readers id={fax.id} />
      {mark.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(mark.error)}
        </Notice>
      )}
    </section>
  );
}

/** Everybody who has read it, for the whole mailbox to see. */
function Readers({ id }: { id: string }) {
  const readers = useQuery(readersQuery(id));
  if (!readers.data) return <LoadProblem of={readers} />;
  if (readers.data.readers.length === 0) return null;
  return (
    <ul className={styles['readers']}>
      {readers.data.readers.map(({ id: reader, name, read_at }) => (
        <li key={reader} title={formatFully(read_at)}>
          {t.inbox.details.readBy(name, formatWhen(read_at))}
        </li>
      ))}
    </ul>
  );
}

/** The key works whether the details are open or not. */
export function useUnreadKey(fax: InboundFax, mark: ReadMark): void {
  useActions(t.inbox.thisFax, [
    {
      id: 'unread',
      label: t.inbox.details.markUnread,
      icon: 'undo',
      keys: 'shift+u',
      isDisabled: fax.read_at === null || mark.isPending,
      run: () => mark.set(false),
    },
  ]);
}
