import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type DirectDelivery, type Partner, recentDeliveriesQuery } from '../../../api/partners.ts';
import { usePermission } from '../../../api/queries.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/partners.ts';
import { formatFully, formatWhen } from '../../../ui/format.ts';
import styles from '../contact-details.module.css';
import own from './recent-deliveries.module.css';

const words = t.partners.deliveries;

/** Newest documents that were exchanged with a partner, with their fax. */
export function RecentDeliveries({ partner }: { partner: Partner }) {
  const state = useQuery(recentDeliveriesQuery(partner));
  return (
    <section className={styles['section']} aria-label={words.title}>
      <h3>{words.title}</h3>
      <LoadProblem of={state} />
      {state.data?.items.length === 0 && <p className={own['quiet']}>{words.none}</p>}
      <ul className={own['list']}>
        {state.data?.items.map((delivery) => (
          <li key={`${delivery.direction} ${delivery.message_id}`}>
            <span title={formatFully(delivery.created_at)}>
              <FaxLink delivery={delivery}>
                {words.of(delivery.direction, formatWhen(delivery.created_at))}
              </FaxLink>
            </span>
            <span className={own['quiet']}>{words.states[delivery.state]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Opens the fax of a document, for people who may see such faxes. */
function FaxLink({
  delivery: { direction, job_id, inbound_id },
  children,
}: {
  delivery: DirectDelivery;
  children: string;
}) {
  const maySent = usePermission('fax:read');
  const mayReceived = usePermission('inbound:list');
  if (direction === 'sent' && job_id !== null && maySent)
    return (
      <Link to="/sent/{-$sentId}" params={{ sentId: job_id }}>
        {children}
      </Link>
    );
  if (inbound_id !== null && mayReceived)
    return (
      <Link to="/inbox/{-$receivedId}" params={{ receivedId: inbound_id }}>
        {children}
      </Link>
    );
  return children;
}
