import { useState } from 'react';
import { openedAddress } from '../../api/page-token.ts';
import { t } from '../../texts/sent.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LoadProblem } from '../load-problem.tsx';
import { PageNumber } from '../pages/page-number.tsx';
import { useReader } from '../pages/reader.ts';
import { type Zoom, ZoomButtons } from '../pages/zoom.tsx';
import { PdfPages } from './pdf-pages.tsx';
import styles from './pdf-viewer.module.css';
import { type PdfKind, usePdf } from './use-pdf.ts';

/** A PDF of a fax, read here: nothing leaves the window it is shown in. */
export function PdfViewer(props: { id: string; kind: PdfKind; title: string; onClose: () => void }) {
  const { id, kind, title, onClose } = props;
  const [zoom, setZoom] = useState<Zoom>('page');
  const [current, setCurrent] = useState(1);
  const [withThumbs, setThumbs] = useState(true);
  const [isSingle, setSingle] = useState(false);
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
        <PdfPages
          {...{ zoom, current, reader, title, withThumbs, isSingle }}
          pdf={pdf.data}
          onZoom={setZoom}
          onCurrent={setCurrent}
          onThumbs={() => setThumbs(!withThumbs)}
          onSingle={() => setSingle(!isSingle)}
        />
      )}
      {pdf.isPending && <p role="status">{t.sent.details.loadingDocument}</p>}
      <LoadProblem of={pdf} />
    </Dialog>
  );
}
