import type { WorkItem } from '../../api/work.ts';
import { useMinute } from '../../parts/use-minute.ts';
import { DueWord } from '../../parts/work/due-word.tsx';
import { senderWord } from '../../parts/work/use-work-actions.ts';
import { t } from '../../texts/work.ts';
import { Choice, type Option } from '../../ui/choice.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import styles from './hand-over.module.css';
import type { Takers } from './use-hand-over.ts';

const words = t.work.handOver;
const KEEP = 'keep';

/** The people as choices, after the one of keeping it. */
export const optionsOf = (people: readonly { id: string; name: string }[]): Option<string>[] => [
  { id: KEEP, label: words.keep },
  ...people.map(({ id, name }) => ({ id, label: name })),
];

/** Null for keeping it. */
export const takerIn = (option: string): string | null => (option === KEEP ? null : option);

/** One of my items, and who takes it. */
export function HandOverRow(props: { item: WorkItem; takers: Takers; problem: string | null }) {
  const { item, takers, problem } = props;
  const phone = usePhoneFormat();
  const now = useMinute();
  const sender = senderWord(item, phone);
  const isAble = takers.eligible.includes(item);
  return (
    <li className={styles['item']}>
      <span className={styles['what']}>
        <strong>{sender}</strong>
        <span className={styles['line']}>
          <DueWord item={item} now={now} /> {item.mailbox}
        </span>
        {problem !== null && <span className={styles['problem']}>{problem}</span>}
        {!isAble && <span className={styles['reason']}>{words.mayNot}</span>}
      </span>
      {isAble && (
        <Choice
          label={words.to(sender)}
          isLabelHidden
          options={optionsOf(takers.peopleFor(item))}
          value={takers.of(item) ?? KEEP}
          onChange={(id) => takers.choose([item], takerIn(id))}
        />
      )}
    </li>
  );
}
