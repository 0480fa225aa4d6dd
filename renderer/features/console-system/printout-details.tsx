import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { printoutQuery } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { printedSender } from '../../parts/printouts/printed-sender.ts';
import { PrintoutView } from '../../parts/printouts/printout-view.tsx';
import { t } from '../../texts/printouts.ts';
import { IconButton } from '../../ui/button.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import styles from './system.module.css';

const words = t.printouts;

/** The whole of one printout with what can be done about it, and the way to its fax. */
export function PrintoutDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(printoutQuery(id));
  const phone = usePhoneFormat();
  const mayOpen = usePermission('inbound:list');
  const printout = found.data;
  return (
    <section className={styles['delivery']} aria-label={words.details}>
      <div className={styles['line']}>
        {printout && <span className={styles['name']}>{printedSender(printout, phone)}</span>}
        {printout && mayOpen && (
          <Link to="/inbox/{-$receivedId}" params={{ receivedId: printout.fax_id }}>
            {words.openFax}
          </Link>
        )}
        <span className={styles['gap']} />
        <IconButton icon="close" label={words.close} isSmall onPress={onClose} />
      </div>
      <LoadProblem of={found} />
      {printout === null && <p className={styles['quiet']}>{words.gone}</p>}
      {printout && <PrintoutView printout={printout} />}
    </section>
  );
}
