import { useQuery } from '@tanstack/react-query';
import { faxHistoryQuery } from '../../../api/outbound.ts';
import { HistorySign } from '../../../parts/history-sign.tsx';
import { FAX_HISTORY_SIGNS } from '../../../parts/history-signs.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/sent.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import styles from './fax-details.module.css';

/** What happened, the last on top; new lines appear as they happen. */
export function History({ id }: { id: string }) {
  const history = useQuery(faxHistoryQuery(id));
  return (
    <section className={styles['section']}>
      <h3>{t.sent.details.history}</h3>
      {!history.data && <LoadProblem of={history} title={t.sent.details.historyBroke} />}
      <ol className={styles['history']}>
        {history.data?.events.toReversed().map((event, index, all) => (
          <li key={all.length - index}>
            <time dateTime={event.occurred_at} title={formatFully(event.occurred_at)}>
              {formatWhen(event.occurred_at)}
            </time>
            <HistorySign sign={FAX_HISTORY_SIGNS[event.kind]} />
            <p title={t.sent.details.by(event.actor)}>{event.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
