import { useQuery } from '@tanstack/react-query';
import { memo } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { type WorkItem, workRowQuery } from '../../api/work.ts';
import { aboutLine } from '../../parts/about/about-words.ts';
import type { StateSign } from '../../parts/fax-state.ts';
import { OpenMark } from '../../parts/presence/open-mark.tsx';
import { inboundState, isUnread, numberWord, pagesOf, senderOf } from '../../parts/received/fax-words.ts';
import { OwnerMark } from '../../parts/work/owner-mark.tsx';
import { useWorkState } from '../../parts/work/work-words.ts';
import { t } from '../../texts/index.ts';
import { formatAge, formatFully } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './inbox-list.module.css';

interface InboxRowProps {
  readonly fax: InboundFax;
  readonly phone: (number: string) => string;
  /** So that ages go on. */
  readonly now: Date;
}

/** Two lines: from whom and how long ago; what it is about, where it belongs and how it stands. */
export const InboxRow = memo(function InboxRow({ fax, phone, now }: InboxRowProps) {
  const sender = senderOf(fax, phone);
  const about = aboutLine(fax);
  const place = fax.mailbox ?? numberWord(fax.to, phone);
  const called = about === null ? place : `${about} · ${place}`;
  const age = formatAge(fax.received_at, now) ?? t.inbox.now;
  const isNew = isUnread(fax);
  return (
    <span role="gridcell" className={styles['fax']} data-unread={isNew || undefined}>
      <span className={styles['dot']}>
        {isNew && <span className="visually-hidden">{t.inbox.unread}</span>}
      </span>
      <span className={styles['line']}>
        <span className={styles['name']} title={sender}>
          {sender}
        </span>
        <span className={styles['age']} title={formatFully(fax.received_at)}>
          {[pagesOf(fax), age].filter((it) => it !== null).join(' · ')}
        </span>
      </span>
      <span className={`${styles['line']} ${styles['second']}`} data-about={about !== null || undefined}>
        <span className={styles['name']} title={called}>
          {called}
        </span>
        <RowState fax={fax} />
      </span>
    </span>
  );
});

/** Shows the state of the fax; once it is filed, its owner and the last action on it. */
function RowState({ fax }: { fax: InboundFax }) {
  const item = useItem(fax.work_item_id);
  return (
    <>
      <OpenMark faxId={fax.id} />
      {item && <OwnerMark item={item} />}
      {item && isPlain(fax) ? <ItemState item={item} /> : <StateSignWord {...inboundState(fax)} />}
    </>
  );
}

const ItemState = ({ item }: { item: WorkItem }) => <StateSignWord {...useWorkState(item)} />;

const StateSignWord = ({ tone, icon, word }: StateSign) => (
  <span className={styles['state']} title={word}>
    <StateWord tone={tone} icon={icon}>
      {word}
    </StateWord>
  </span>
);

const isPlain = ({ status, document_kept, is_test, incomplete, junk }: InboundFax): boolean =>
  status === 'received' && document_kept && !is_test && !incomplete && !junk;

/** The work item of a fax, where the person may see it. */
function useItem(id: string | null) {
  const enabled = usePermission('work:read') && id !== null;
  return useQuery({ ...workRowQuery(id ?? ''), enabled }).data ?? null;
}
