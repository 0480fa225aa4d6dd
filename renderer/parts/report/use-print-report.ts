import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { loadPart } from '../../api/load-part.ts';
import { t } from '../../texts/sent.ts';
import { announce } from '../../ui/live-region.tsx';

/** Prints the transmission report of a fax. */
export function usePrintReport(faxId: string) {
  return useMutation({
    mutationFn: async () => {
      announce(t.sent.details.printing);
      const bytes = await client.outbound.faxReport({ params: { id: faxId }, query: { purpose: 'print' } });
      const { printPdf } = await loadPart(() => import('../pages/print-pdf.ts'));
      await printPdf(bytes);
    },
  });
}
