import { useQuery } from '@tanstack/react-query';
import { deliveriesOfFaxQuery } from '../../../api/intake.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { DeliveryView } from '../../../parts/mail/delivery-view.tsx';
import { t } from '../../../texts/mail.ts';
import styles from './fax-drawer.module.css';

/** Shows the recipients of the fax by e-mail, with times; nothing for a fax that has none. */
export function MailPart({ faxId }: { faxId: string }) {
  const deliveries = useQuery(deliveriesOfFaxQuery(faxId));
  if (!deliveries.data) return <LoadProblem of={deliveries} title={t.mail.inDrawer} />;
  if (deliveries.data.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={t.mail.inDrawer}>
      <h3>{t.mail.inDrawer}</h3>
      {deliveries.data.map((delivery) => (
        <DeliveryView key={delivery.id} delivery={delivery} />
      ))}
    </section>
  );
}
