import { useState } from 'react';
import { sentenceOf } from '../../../api/sentence.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { PdfViewer } from '../../../parts/report/pdf-viewer.tsx';
import { usePrintReport } from '../../../parts/report/use-print-report.ts';
import { t } from '../../../texts/sent.ts';
import { useActions } from '../../../ui/actions.tsx';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-details.module.css';

/** The transmission report: to look at, to keep, on paper. */
export function Report({ fax, mayOpen }: { fax: Fax; mayOpen: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const print = usePrintReport(fax.id);
  const words = t.sent.details;
  useActions(t.fax.thisFax, [
    {
      id: 'print-report',
      label: t.sent.keys.print,
      icon: 'print',
      keys: 'p',
      isDisabled: !mayOpen || print.isPending,
      run: () => print.mutate(),
    },
  ]);
  if (!mayOpen) return null;
  return (
    <section className={styles['section']}>
      <h3>{words.report}</h3>
      <p>{words.reportSentence}</p>
      <div className={styles['line']}>
        <Button icon="report" onPress={() => setOpen(true)}>
          {words.open}
        </Button>
        <Button icon="print" keys="p" isPending={print.isPending} onPress={() => print.mutate()}>
          {words.print}
        </Button>
      </div>
      {print.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(print.error)}
        </Notice>
      )}
      {isOpen && <PdfViewer id={fax.id} kind="report" title={words.report} onClose={() => setOpen(false)} />}
    </section>
  );
}
