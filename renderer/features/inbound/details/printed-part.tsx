import { useQuery } from '@tanstack/react-query';
import { printoutsOfFaxQuery } from '../../../api/print-rules.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { PrintoutView } from '../../../parts/printouts/printout-view.tsx';
import { t } from '../../../texts/printouts.ts';
import styles from './fax-drawer.module.css';

/** Shows where and when print rules printed the fax; nothing for a fax that none prints. */
export function PrintedPart({ faxId }: { faxId: string }) {
  const printouts = useQuery(printoutsOfFaxQuery(faxId));
  if (!printouts.data) return <LoadProblem of={printouts} title={t.printouts.inDrawer} />;
  if (printouts.data.length === 0) return null;
  return (
    <section className={styles['section']} aria-label={t.printouts.inDrawer}>
      <h3>{t.printouts.inDrawer}</h3>
      {printouts.data.map((printout) => (
        <PrintoutView key={printout.id} printout={printout} />
      ))}
    </section>
  );
}
