import type { CSSProperties } from 'react';
import { formatFully, formatWhen } from '../ui/format.ts';
import { Icon } from '../ui/icon.tsx';
import styles from './history-part.module.css';
import type { HistorySign as Sign } from './history-signs.ts';
import { type Loaded, LoadProblem } from './load-problem.tsx';

/** Entry of a history, which is a sentence. `by` is its author, shown as a title. */
interface HistoryEntry {
  readonly occurredAt: string;
  readonly sign: Sign;
  readonly text: string;
  readonly by: string;
}

/**
 * History in the details, the newest entry on top; new ones appear as they happen. `entries` begin with the oldest, and
 * none is ever removed. `brokeTitle` is shown when `of` could not be loaded; `timeWidth` is the width of the longest
 * time in pixels.
 */
export function HistoryPart(props: {
  title: string;
  brokeTitle: string;
  of: Loaded & { readonly data: unknown };
  entries: readonly HistoryEntry[];
  timeWidth: number;
}) {
  const { title, brokeTitle, of, entries, timeWidth } = props;
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      {!of.data && <LoadProblem of={of} title={brokeTitle} />}
      <ol className={styles['history']} style={{ '--history-time': `${timeWidth}px` } as CSSProperties}>
        {entries.toReversed().map(({ occurredAt, sign, text, by }, index) => (
          <li key={entries.length - index}>
            <time dateTime={occurredAt} title={formatFully(occurredAt)}>
              {formatWhen(occurredAt)}
            </time>
            <HistorySign sign={sign} />
            <p title={by}>{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** Icon of the kind of an entry, to scan a history by; the words beside it mean the same. */
function HistorySign({ sign: { icon, tone } }: { sign: Sign }) {
  return (
    <span className={styles['sign']} data-tone={tone}>
      <Icon name={icon} size={14} />
    </span>
  );
}
