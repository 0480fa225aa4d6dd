import { useQuery } from '@tanstack/react-query';
import { client } from '../../api/client.ts';

export type PdfKind = 'document' | 'report';

/** Loads a PDF of a sent fax, which is recorded as opened. */
export function usePdf(id: string, kind: PdfKind) {
  return useQuery({
    queryKey: ['fax-pdf', id, kind],
    gcTime: 0,
    staleTime: 0,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const read = kind === 'report' ? client.outbound.faxReport : client.outbound.faxDocument;
      const bytes = await read({ params: { id }, query: { purpose: 'open' }, signal });
      const { openPdf } = await import('../pages/pdf-document.ts');
      return openPdf(bytes);
    },
  });
}
