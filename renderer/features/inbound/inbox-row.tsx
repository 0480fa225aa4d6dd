import { memo } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { t } from '../../texts/index.ts';
import { formatAge, formatFully } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { inboundState, isUnread, numberWord, pagesOf, senderOf } from './fax-words.ts';
import styles from './inbox-list.module.css';

interface InboxRowProps {
  readonly fax: InboundFax;
  readonly phone: (number: string) => string;
  /** So that ages go on. */
  readonly now: Date;
}

/** Two lines: from whom and how long ago; where it belongs and how it stands. */
export const InboxRow = memo(function InboxRow({ fax, phone, now }: InboxRowProps) {
  const sender = senderOf(fax, phone);
  const called = fax.mailbox ?? numberWord(fax.to, phone);
  const { tone, icon, word } = inboundState(fax);
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
      <span className={`${styles['line']} ${styles['second']}`}>
        <span className={styles['name']} title={called}>
          {called}
        </span>
        <StateWord tone={tone} icon={icon}>
          {word}
        </StateWord>
      </span>
    </span>
  );
});
