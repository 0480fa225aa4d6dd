import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type Printout, printoutsToCheckQuery } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/printouts.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { printedSender } from './printed-sender.ts';
import styles from './printout.module.css';
import { PrintoutView } from './printout-view.tsx';

const words = t.printouts.toCheck;

/**
 * Above a list of received faxes: the way to the printouts that a person has to decide about. Nothing while there are none,
 * and for a person who may not decide. `screen` is the title of the screen.
 */
export function PrintoutsToCheck({ screen }: { screen: string }) {
  const [mayRead, mayOpen] = [usePermission('inbound:read'), usePermission('inbound:document')];
  const mayDecide = mayRead && mayOpen;
  const found = useQuery({ ...printoutsToCheckQuery, enabled: mayDecide }).data;
  const [isOpen, setOpen] = useState(false);
  const count = found?.count ?? 0;
  if (!mayDecide || (count === 0 && !isOpen)) return null;
  return (
    <div className={styles['strip']}>
      <OpenButton count={count} screen={screen} onOpen={() => setOpen(true)} />
      {isOpen && <ToCheck printouts={found?.items ?? []} onClose={() => setOpen(false)} />}
    </div>
  );
}

function OpenButton({ count, screen, onOpen }: { count: number; screen: string; onOpen: () => void }) {
  useActions(screen, [{ id: 'printouts-to-check', label: words.title, icon: 'print', run: onOpen }]);
  return (
    <Button icon="print" onPress={onOpen}>
      {words.open(formatCount(count), count === 1)}
    </Button>
  );
}

function ToCheck({ printouts, onClose }: { printouts: readonly Printout[]; onClose: () => void }) {
  const phone = usePhoneFormat();
  return (
    <Dialog
      title={words.title}
      helpPage="print-rules#states-of-a-printout"
      isOpen
      onClose={onClose}
      actions={<Button onPress={onClose}>{words.close}</Button>}
    >
      {printouts.length === 0 && <p role="status">{words.none}</p>}
      <ul className={styles['list']} aria-label={words.title}>
        {printouts.map((printout) => (
          <li key={printout.id}>
            <p className={styles['line']}>
              <strong>{printedSender(printout, phone)}</strong>
              <Link to="/inbox/{-$receivedId}" params={{ receivedId: printout.fax_id }} onClick={onClose}>
                {t.printouts.openFax}
              </Link>
            </p>
            <PrintoutView printout={printout} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
