import { useQuery } from '@tanstack/react-query';
import { workHistoryQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { formatFully, formatWhen } from '../../ui/format.ts';
import { HistorySign } from '../history-sign.tsx';
import { WORK_HISTORY_SIGNS } from '../history-signs.ts';
import { LoadProblem } from '../load-problem.tsx';
import styles from './work.module.css';

/** Who owned the item, what was done and what was missed, the last on top. */
export function WorkHistory({ id, title }: { id: string; title: string }) {
  const history = useQuery(workHistoryQuery(id));
  return (
    <section className={styles['section']}>
      <h3>{title}</h3>
      {!history.data && <LoadProblem of={history} title={t.work.historyBroke} />}
      <ol className={styles['history']}>
        {history.data?.events.toReversed().map((event, index, all) => (
          <li key={all.length - index}>
            <time dateTime={event.occurred_at} title={formatFully(event.occurred_at)}>
              {formatWhen(event.occurred_at)}
            </time>
            <HistorySign sign={WORK_HISTORY_SIGNS[event.kind]} />
            <p title={t.work.actor(event.actor)}>{event.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
