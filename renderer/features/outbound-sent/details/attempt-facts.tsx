import { type Fax, faxState } from '../../../parts/fax-state.ts';
import { useProviderName } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/sent.ts';
import { Fact, FactList } from '../../../ui/fact-list.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { formatCount, formatDuration, formatTime, formatTimeExactly } from '../../../ui/format.ts';
import { Icon } from '../../../ui/icon.tsx';
import { formatMoney } from '../../../ui/money.ts';
import styles from './fax-details.module.css';

/** The newest attempt with its times; earlier ones are in the history. */
export function AttemptFacts({ fax }: { fax: Fax }) {
  const provider = useProviderName()(fax.backend);
  const words = t.sent.details;
  const { attempt } = fax;
  return (
    <section className={styles['section']}>
      <h3>{words.attempt}</h3>
      {attempt === null ? (
        <p className={styles['quiet']}>{withoutAttempt(fax)}</p>
      ) : (
        <div className={styles['attempt']} data-tone={faxState(fax).tone}>
          <Icon name={faxState(fax).icon} size={16} />
          <div>
            <p>{wayOf(fax, words.attemptOf(formatCount(attempt.number), provider))}</p>
            <p className={styles['quiet']}>{factsOf(attempt).join(', ')}</p>
            {attempt.number > 1 && <p className={styles['quiet']}>{words.earlier}</p>}
          </div>
          {(fax.free || fax.cost) && <span>{fax.cost ? formatMoney(fax.cost) : t.fax.free}</span>}
        </div>
      )}
      {fax.route && <p className={styles['quiet']}>{fax.route.reason}</p>}
      {(attempt?.failure_code ?? null) !== null && (
        <Fold title={words.codes}>
          <FactList wordWidth={96}>
            <Fact name={words.codeOf(provider)}>
              <code>{attempt?.failure_code}</code>
            </Fact>
          </FactList>
        </Fold>
      )}
    </section>
  );
}

/** `called` names an attempt by a call. */
function wayOf(fax: Fax, called: string): string {
  const words = t.sent.details;
  if (fax.internal) return words.internal;
  if (!fax.direct) return called;
  const signedAt = fax.delivered_by === 'direct' ? (fax.attempt?.completed_at ?? null) : null;
  return signedAt === null ? words.direct : t.fax.arrivedDirectly(formatTime(signedAt));
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

/** States in which a fax has had no attempt; in any other one, an earlier release kept no record. */
const BEFORE_SENDING: readonly string[] = ['held', 'ready', 'preparing'];

function withoutAttempt(fax: Fax): string {
  const words = t.sent.details;
  if (fax.free) return `${words.nothingSent} ${t.fax.free}.`;
  return BEFORE_SENDING.includes(fax.delivery_state) ? words.noAttempt : words.noRecord;
}
