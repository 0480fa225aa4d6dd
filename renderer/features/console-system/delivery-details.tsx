import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveryQuery } from '../../api/intake.ts';
import { usePermission } from '../../api/queries.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { DeliveryView } from '../../parts/mail/delivery-view.tsx';
import { t } from '../../texts/mail.ts';
import { IconButton } from '../../ui/button.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { senderOf } from './delivery-columns.tsx';
import styles from './system.module.css';

const words = t.mail;

/** The whole of one delivery with what can be done about it, and the way to its fax. */
export function DeliveryDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(deliveryQuery(id));
  const phone = usePhoneFormat();
  const mayOpen = usePermission('inbound:list');
  const delivery = found.data;
  return (
    <section className={styles['delivery']} aria-label={words.details}>
      <div className={styles['line']}>
        {delivery && <span className={styles['name']}>{senderOf(delivery, phone)}</span>}
        {delivery?.fax && mayOpen && (
          <Link to="/inbox/{-$receivedId}" params={{ receivedId: delivery.fax_id }}>
            {words.openFax}
          </Link>
        )}
        <span className={styles['gap']} />
        <IconButton icon="close" label={words.close} isSmall onPress={onClose} />
      </div>
      <LoadProblem of={found} />
      {delivery === null && <p className={styles['quiet']}>{words.gone}</p>}
      {delivery && <DeliveryView delivery={delivery} />}
    </section>
  );
}
