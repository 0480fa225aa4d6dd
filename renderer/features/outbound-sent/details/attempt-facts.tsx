import { useQuery } from '@tanstack/react-query';
import { contextQuery } from '../../../api/queries.ts';
import { type Fax, faxState } from '../../../parts/fax-state.ts';
import { t } from '../../../texts/sent.ts';
import { formatCount, formatDuration, formatTimeExactly } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { formatCost } from '../money.ts';
import styles from './fax-details.module.css';

/** The newest attempt with its times; earlier ones are in the history. */
export function AttemptFacts({ fax }: { fax: Fax }) {
  const names = useQuery(contextQuery).data?.provider_names;
  const words = t.sent.details;
  const { attempt } = fax;
  return (
    <section className={styles['section']}>
      <h3>{words.attempt}</h3>
      {attempt === null ? (
        <p className={styles['quiet']}>{words.noAttempt}</p>
      ) : (
        <div className={styles['attempt']} data-tone={faxState(fax).tone}>
          <Icon name={faxState(fax).icon} size={16} />
          <div>
            <p>{words.attemptOf(formatCount(attempt.number), names?.[fax.backend] ?? fax.backend)}</p>
            <p className={styles['quiet']}>{factsOf(attempt).join(', ')}</p>
            {attempt.number > 1 && <p className={styles['quiet']}>{words.earlier}</p>}
          </div>
          {fax.cost && <span>{formatCost(fax.cost)}</span>}
        </div>
      )}
    </section>
  );
}

function factsOf(attempt: NonNullable<Fax['attempt']>): string[] {
  const words = t.sent.details;
  const { submitted_at, completed_at, seconds, rate_bps } = attempt;
  return [
    ...(submitted_at === null ? [] : [words.submitted(formatTimeExactly(submitted_at))]),
    ...(completed_at === null ? [] : [words.ended(formatTimeExactly(completed_at))]),
    ...(seconds === null ? [] : [words.lasted(formatDuration(seconds))]),
    ...(rate_bps === null ? [] : [words.speed(formatCount(rate_bps))]),
  ];
}
