import { useMemo } from 'react';
import type { WorkItem } from '../../api/work.ts';
import { aboutLine } from '../../parts/about/about-words.ts';
import type { Column } from '../../parts/lists/list-table.tsx';
import { OpenMark } from '../../parts/presence/open-mark.tsx';
import { useMinute } from '../../parts/use-minute.ts';
import { DueWord } from '../../parts/work/due-word.tsx';
import { OwnerMark, ownerName } from '../../parts/work/owner-mark.tsx';
import { senderWord } from '../../parts/work/use-work-actions.ts';
import { useWorkState } from '../../parts/work/work-words.ts';
import { t } from '../../texts/work.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import type { Chosen } from './use-chosen.ts';
import styles from './work-table.module.css';

const words = t.work.columns;

const MAILBOX: Column<WorkItem> = {
  id: 'mailbox',
  head: words.mailbox,
  isQuiet: true,
  room: 'wide',
  title: ({ mailbox }) => mailbox ?? undefined,
  cell: ({ mailbox }) => mailbox,
};

/**
 * Returns the columns of the work queue; new ones after each minute, and whenever another row is chosen. In a list of what
 * is done the time and the note of the end take the places of due time and state. Without mailboxes there is no column for them.
 */
export function useWorkColumns(
  { ids, toggle }: Chosen,
  { isDone, hasMailboxes }: { isDone: boolean; hasMailboxes: boolean },
): readonly Column<WorkItem>[] {
  const phone = usePhoneFormat();
  const now = useMinute();
  return useMemo(
    () => [
      {
        id: 'choose',
        head: words.choose,
        isHeadHidden: true,
        cell: (item) => (
          <span className={styles['owner']}>
            <Checkbox
              excludeFromTabOrder
              aria-label={t.work.chooseRow(senderWord(item, phone))}
              isSelected={ids.has(item.id)}
              onChange={() => toggle(item.id)}
            />
          </span>
        ),
      },
      isDone
        ? { id: 'state', head: words.state, cell: (item) => <State item={item} /> }
        : { id: 'due', head: words.due, cell: (item) => <DueWord item={item} now={now} size="body" /> },
      {
        id: 'from',
        head: words.from,
        title: (item) => [senderWord(item, phone), aboutLine(item) ?? ''].join('\n').trim(),
        cell: (item) => <From item={item} sender={senderWord(item, phone)} />,
      },
      ...(hasMailboxes ? [MAILBOX] : []),
      {
        id: 'pages',
        head: words.pages,
        isQuiet: true,
        isEnd: true,
        room: 'wide',
        cell: (item) => (
          <>
            <Missing item={item} where="pages" /> {formatCount(item.pages)}
          </>
        ),
      },
      { id: 'owner', head: words.owner, title: ownerName, cell: (item) => <Owner item={item} /> },
      isDone
        ? {
            id: 'note',
            head: words.note,
            room: 'medium',
            title: ({ done_note }) => done_note ?? undefined,
            cell: ({ done_note }) => done_note,
          }
        : { id: 'state', head: words.state, room: 'medium', cell: (item) => <State item={item} /> },
    ],
    [phone, now, ids, toggle, isDone, hasMailboxes],
  );
}

function From({ item, sender }: { item: WorkItem; sender: string }) {
  const line = aboutLine(item);
  return (
    <>
      <span className={styles['owner']}>
        <span className={styles['name']}>{sender}</span>
        {item.is_test && <span className={styles['test']}>{t.work.test}</span>}
        <Missing item={item} where="from" />
        <OpenMark faxId={item.inbound_fax_id} />
      </span>
      {line !== null && <span className={styles['about']}>{line}</span>}
    </>
  );
}

/** Shows that pages may be missing: beside the sender where there is room for it, else with the count of pages. */
function Missing({ item, where }: { item: WorkItem; where: 'from' | 'pages' }) {
  const word = t.inbox.states.incomplete;
  if (!item.incomplete) return null;
  return (
    <span className={styles['mark']} data-where={where} title={word}>
      <Icon name="warn" size={16} />
      <span className={styles['word']}>{word}</span>
    </span>
  );
}

function Owner({ item }: { item: WorkItem }) {
  return (
    <span className={styles['owner']}>
      <OwnerMark item={item} />
      <span className={item.owner === null ? styles['faint'] : styles['name']}>{ownerName(item)}</span>
    </span>
  );
}

function State({ item }: { item: WorkItem }) {
  const { tone, icon, word } = useWorkState(item);
  return (
    <StateWord tone={tone} icon={icon} size="body">
      {word}
    </StateWord>
  );
}
