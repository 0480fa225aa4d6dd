import { Link } from '@tanstack/react-router';
import type { Fax } from '../../../parts/fax-state.ts';
import { useProviderName } from '../../../parts/provider-name.ts';
import { t } from '../../../texts/index.ts';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { formatMoney } from '../../../ui/money.ts';
import styles from './sending-screen.module.css';

/** Shows the sender, the line and the cost. */
export function FaxFacts({ fax }: { fax: Fax }) {
  const words = t.send.facts;
  const { attempt } = fax;
  const costWord = costOf(fax);
  const seconds = attempt?.seconds ?? null;
  const provider = useProviderName()(fax.backend);
  const isCalled = !fax.internal && !fax.direct;
  const line = isCalled ? provider : fax.direct ? words.directly : words.noLine;
  return (
    <dl className={styles['facts']}>
      <dt>{words.sentBy}</dt>
      <dd>{fax.created_by.name}</dd>
      <dt>{words.line}</dt>
      <dd>{attempt === null || !isCalled ? line : words.lineAttempt(line, formatCount(attempt.number))}</dd>
      {seconds !== null && isCalled && (
        <>
          <dt>{words.time}</dt>
          <dd>{formatDuration(seconds)}</dd>
        </>
      )}
      {costWord !== null && (
        <>
          <dt>{words.cost}</dt>
          <dd>{costWord}</dd>
        </>
      )}
      <dt>{words.id}</dt>
      <dd className={styles['mono']}>{fax.id}</dd>
      {fax.resend_of !== null && (
        <>
          <dt>{words.resendOf}</dt>
          <dd>
            <Link to="/send/$faxId" params={{ faxId: fax.resend_of }}>
              {words.openFirst}
            </Link>
          </dd>
        </>
      )}
    </dl>
  );
}

/** Formats the cost, or its estimate; null when neither is known. What a failed fax costs only the provider can say. */
function costOf({ cost, attempt, free, delivery_state }: Fax): string | null {
  if (free) return t.fax.free;
  if (cost !== null) return formatMoney(cost);
  if (delivery_state === 'failed') return null;
  const estimated = attempt?.number === 1 ? attempt.cost?.estimated : null;
  return estimated ? t.send.about + formatMoney(estimated) : null;
}
