import { useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PdfViewer } from './pdf-viewer.tsx';
import { usePrintReport } from './use-print-report.ts';

/** The transmission report of a fax that has ended: to look at, and on paper. */
export function ReportButtons({ faxId }: { faxId: string }) {
  const [isOpen, setOpen] = useState(false);
  const print = usePrintReport(faxId);
  const words = t.sent.details;
  return (
    <>
      <Button icon="report" onPress={() => setOpen(true)}>
        {words.report}
      </Button>
      <Button icon="print" isPending={print.isPending} onPress={() => print.mutate()}>
        {words.printReport}
      </Button>
      {print.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(print.error)}
        </Notice>
      )}
      {isOpen && <PdfViewer id={faxId} kind="report" title={words.report} onClose={() => setOpen(false)} />}
    </>
  );
}
