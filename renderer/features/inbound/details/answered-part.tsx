import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { InboundFax } from '../../../api/inbound.ts';
import { faxQuery } from '../../../api/outbound.ts';
import { t } from '../../../texts/index.ts';
import { formatWhen } from '../../../ui/format.ts';
import styles from './fax-drawer.module.css';

type FaxAnswer = InboundFax['answered_by'][number];

const STATES: Readonly<Record<FaxAnswer['delivery_state'], string>> = {
  held: t.fax.held,
  ready: t.fax.waiting,
  preparing: t.fax.preparing,
  submitting: t.fax.submitting,
  in_progress: t.fax.sending,
  success: t.fax.delivered,
  failed: t.fax.failed,
  cancelled: t.fax.cancelled,
  reconciliation_required: t.fax.needsConfirmation,
};

/** The sent faxes that answer a received one, each with what became of it. */
export function AnsweredPart({ fax: { answered_by } }: { fax: InboundFax }) {
  if (answered_by.length === 0) return null;
  return (
    <section className={styles['section']}>
      <h3>{t.inbox.answer.answered}</h3>
      <ul className={styles['readers']}>
        {answered_by.map((answer) => (
          <li key={answer.fax_id}>
            <Answer answer={answer} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The state follows the fax, which changes after this one was read. */
function Answer({ answer: { fax_id, by, created_at, delivery_state } }: { answer: FaxAnswer }) {
  const state = useQuery(faxQuery(fax_id)).data?.delivery_state ?? delivery_state;
  const words = t.inbox.answer;
  return (
    <>
      <Link to="/sent/{-$sentId}" params={{ sentId: fax_id }}>
        {words.byWhom(by, formatWhen(created_at))}
      </Link>
      {`: ${STATES[state]}`}
    </>
  );
}
