import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { loadPart } from '../../api/load-part.ts';

export type PdfKind = 'document' | 'original' | 'report';

const READS = {
  document: client.outbound.faxDocument,
  original: client.outbound.faxOriginal,
  report: client.outbound.faxReport,
} as const;

/** Loads a PDF of a sent fax, which is recorded as opened. */
export function usePdf(id: string, kind: PdfKind) {
  return useQuery({
    queryKey: ['fax-pdf', id, kind],
    gcTime: 0,
    staleTime: 0,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const bytes = await READS[kind]({ params: { id }, query: { purpose: 'open' }, signal });
      const { openPdf } = await loadPart(() => import('../pages/pdf-document.ts'));
      return openPdf(bytes);
    },
  });
}
