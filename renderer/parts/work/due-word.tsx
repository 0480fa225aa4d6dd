import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatFully } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './work.module.css';
import { dueSign } from './work-words.ts';

/** Shows when an item is due, in color and text. Pass the current minute, so that it counts down. */
export function DueWord(props: {
  item: WorkItem;
  now: Date;
  isSentence?: boolean;
  size?: 'caption' | 'body';
}) {
  const { item, now, isSentence = false, size = 'caption' } = props;
  const due = dueSign(item, now);
  if (due === null)
    return (
      <span className={styles['quiet']}>
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">{t.work.due.none}</span>
      </span>
    );
  const { tone, icon, word, sentence } = due;
  if (icon === null) return <span className={styles['quiet']}>{word}</span>;
  return (
    <span title={item.due_at === null ? undefined : formatFully(item.due_at)}>
      <StateWord tone={tone} icon={icon} size={size}>
        {isSentence ? sentence : word}
      </StateWord>
    </span>
  );
}
