import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { PageViewer } from '../pages/page-viewer.tsx';
import type { PdfDocument } from '../pages/pdf-document.ts';
import { PdfPicture } from '../pages/pdf-picture.tsx';
import { type Zoom, ZoomButtons } from '../pages/zoom.tsx';
import styles from './pdf-viewer.module.css';

type PdfKind = 'document' | 'report';

/** A PDF of a fax, read here: nothing leaves the window it is shown in. */
export function PdfViewer(props: { id: string; kind: PdfKind; title: string; onClose: () => void }) {
  const { id, kind, title, onClose } = props;
  const [zoom, setZoom] = useState<Zoom>('page');
  const pdf = usePdf(id, kind);
  const saved = openedAddress(`/fax/${id}/${kind}?purpose=download`);
  return (
    <Dialog
      title={title}
      width="page"
      isOpen
      onClose={onClose}
      actions={
        <>
          <ZoomButtons zoom={zoom} onZoom={setZoom} />
          <span className={styles['gap']} />
          <a className={styles['save']} href={saved} download={`${kind}-${id}.pdf`}>
            {t.sent.details.save}
          </a>
          <Button onPress={onClose}>{t.ui.close}</Button>
        </>
      }
    >
      {pdf.data && <Pages pdf={pdf.data} zoom={zoom} title={title} />}
      {pdf.isPending && <p role="status">{t.sent.details.loadingDocument}</p>}
      <LoadProblem of={pdf} />
    </Dialog>
  );
}

function Pages({ pdf, zoom, title }: { pdf: PdfDocument; zoom: Zoom; title: string }) {
  const [current, setCurrent] = useState(1);
  return (
    <PageViewer
      count={pdf.numPages}
      current={current}
      onCurrent={setCurrent}
      zoom={zoom}
      picture={(request) => (
        <PdfPicture pdf={pdf} request={request} alt={`${title}, ${t.ui.pages.page(String(request.page))}`} />
      )}
    />
  );
}

function usePdf(id: string, kind: PdfKind) {
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
