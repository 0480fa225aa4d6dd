import { useQuery } from '@tanstack/react-query';
import { sentenceOf } from '../../../api/sentence.ts';
import { HistorySign } from '../../../parts/history-sign.tsx';
import { FAX_HISTORY_SIGNS } from '../../../parts/history-signs.ts';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-details.module.css';
import { historyQuery } from './fax-queries.ts';

/** What happened, the last on top; new lines appear as they happen. */
export function History({ id }: { id: string }) {
  const history = useQuery(historyQuery(id));
  return (
    <section className={styles['section']}>
      <h3>{t.sent.details.history}</h3>
      {history.error && !history.data && (
        <Notice
          tone="warn"
          title={t.sent.details.historyBroke}
          action={<Button onPress={() => void history.refetch()}>{t.ui.tryAgain}</Button>}
        >
          {sentenceOf(history.error)}
        </Notice>
      )}
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
