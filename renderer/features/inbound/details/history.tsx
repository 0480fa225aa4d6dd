import { useQuery } from '@tanstack/react-query';
import { evidenceQuery } from '../../../api/inbound.ts';
import { HistorySign } from '../../../parts/history-sign.tsx';
import { EVIDENCE_SIGNS } from '../../../parts/history-signs.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/index.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import styles from './fax-drawer.module.css';

/** What was told of the fax and what was done with it, the last on top. */
export function History({ id }: { id: string }) {
  const evidence = useQuery(evidenceQuery(id));
  const words = t.inbox.details;
  return (
    <section className={styles['section']}>
      <h3>{words.history}</h3>
      {!evidence.data && <LoadProblem of={evidence} title={words.historyBroke} />}
      <ol className={styles['history']}>
        {evidence.data?.items.toReversed().map((item) => (
          <li key={item.id}>
            <time dateTime={item.occurred_at} title={formatFully(item.occurred_at)}>
              {formatWhen(item.occurred_at)}
            </time>
            <HistorySign sign={EVIDENCE_SIGNS[item.kind]} />
            <p title={words.actor(item.actor)}>{item.text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
