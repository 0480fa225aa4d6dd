import { useQuery } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { client } from '../../api/client.ts';
import { openedAddress } from '../../api/page-token.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { PageNumber } from '../pages/page-number.tsx';
import type { PictureRequest } from '../pages/page-props.ts';
import { PageViewer } from '../pages/page-viewer.tsx';
import type { PdfDocument } from '../pages/pdf-document.ts';
import { PdfPicture } from '../pages/pdf-picture.tsx';
import { type Reader, useReader } from '../pages/reader.ts';
import { useTurns } from '../pages/use-turns.ts';
import { type Zoom, ZoomButtons } from '../pages/zoom.tsx';
import styles from './pdf-viewer.module.css';

type PdfKind = 'document' | 'report';

/** A PDF of a fax, read here: nothing leaves the window it is shown in. */
export function PdfViewer(props: { id: string; kind: PdfKind; title: string; onClose: () => void }) {
  const { id, kind, title, onClose } = props;
  const [zoom, setZoom] = useState<Zoom>('page');
  const [current, setCurrent] = useState(1);
  const reader = useReader();
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
          <PageNumber count={pdf.data?.numPages ?? 1} current={current} reader={reader} />
          <ZoomButtons zoom={zoom} onZoom={setZoom} reader={reader} />
          <span className={styles['gap']} />
          <a className={styles['save']} href={saved} download={`${kind}-${id}.pdf`}>
            {t.sent.details.save}
          </a>
          <Button onPress={onClose}>{t.ui.close}</Button>
        </>
      }
    >
      {pdf.data && (
        <Pages {...{ zoom, current, reader, title }} pdf={pdf.data} onZoom={setZoom} onCurrent={setCurrent} />
      )}
      {pdf.isPending && <p role="status">{t.sent.details.loadingDocument}</p>}
      <LoadProblem of={pdf} />
    </Dialog>
  );
}

function Pages(props: {
  pdf: PdfDocument;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  current: number;
  onCurrent: (page: number) => void;
  reader: Reader;
  title: string;
}) {
  const { pdf, title, current } = props;
  const { turnsOf, turn } = useTurns(pdf.numPages, current);
  const [withThumbs, setThumbs] = useState(true);
  const [isSingle, setSingle] = useState(false);
  const picture = useCallback(
    (request: PictureRequest) => (
      <PdfPicture pdf={pdf} request={request} alt={`${title}, ${t.ui.pages.page(String(request.page))}`} />
    ),
    [pdf, title],
  );
  return (
    <PageViewer
      {...props}
      {...{ turnsOf, withThumbs, isSingle, picture }}
      count={pdf.numPages}
      onTurn={turn}
      onThumbs={() => setThumbs(!withThumbs)}
      onSingle={() => setSingle(!isSingle)}
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
