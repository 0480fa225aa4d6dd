import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveryCountsQuery } from '../../api/intake.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/house.ts';

/** From the warnings about e-mails to those that they are about, for who may see them. */
export function DeliveryLinks() {
  const counts = useQuery({ ...deliveryCountsQuery, enabled: usePermission('mailboxes:read') }).data;
  return (['uncertain', 'failed'] as const).map(
    (state) =>
      counts !== undefined &&
      counts[state] > 0 && (
        <p key={state}>
          <Link to="/system/{-$systemPage}" params={{ systemPage: 'deliveries' }} search={{ state }}>
            {t.system.deliveries.show[state]}
          </Link>
        </p>
      ),
  );
}
