import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { faxQuery } from '../../../api/outbound.ts';
import { openedAddress } from '../../../api/page-token.ts';
import { usePermission } from '../../../api/queries.ts';
import type { Fax } from '../../../parts/fax-state.ts';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { PageNumber } from '../../../parts/pages/page-number.tsx';
import { useReader } from '../../../parts/pages/reader.ts';
import { ZoomButtons } from '../../../parts/pages/zoom.tsx';
import { useWideLayout } from '../../../parts/received/use-wide-layout.ts';
import { useViewOptions } from '../../../parts/received/view-options.ts';
import { PdfPages } from '../../../parts/report/pdf-pages.tsx';
import { usePdf } from '../../../parts/report/use-pdf.ts';
import { t } from '../../../texts/sent.ts';
import { IconButton } from '../../../ui/button.tsx';
import { FileLink } from '../../../ui/download-link.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import styles from './sent-reader.module.css';

/** The pages of a sent fax between the list and its details, read as those of a received one. */
export function SentReader({ id, onClose }: { id: string; onClose: () => void }) {
  const fax = useQuery(faxQuery(id)).data;
  const mayOpen = usePermission('fax:document');
  if (!fax) return null;
  return (
    <section className={styles['reader']} aria-label={t.sent.reader.label}>
      <h1 className={styles['alone']}>{t.sent.title}</h1>
      {mayOpen ? (
        <Document fax={fax} onClose={onClose} />
      ) : (
        <EmptyState icon="lock" title={t.sent.reader.hidden}>
          {t.sent.reader.hiddenSentence}
        </EmptyState>
      )}
    </section>
  );
}

function Document({ fax, onClose }: { fax: Fax; onClose: () => void }) {
  const [view, setView] = useViewOptions('sent');
  const [current, setCurrent] = useState(1);
  const reader = useReader();
  const isRoomy = useWideLayout();
  const pdf = usePdf(fax.id, 'document');
  const count = pdf.data?.numPages ?? fax.document.pages;
  const withThumbs = view.withThumbs ?? isRoomy;
  const onThumbs = () => setView({ ...view, withThumbs: !withThumbs });
  const onZoom = (zoom: typeof view.zoom) => setView({ ...view, zoom });
  const words = t.sent.reader;
  return (
    <>
      <div className={styles['tools']} role="group" aria-label={words.tools}>
        {count > 1 && <IconButton icon="thumbs" label={words.thumbs} isOn={withThumbs} onPress={onThumbs} />}
        <PageNumber {...{ count, current, reader }} />
        <ZoomButtons zoom={view.zoom} onZoom={onZoom} reader={reader} />
        <span className={styles['gap']} />
        <FileLink
          href={openedAddress(`/fax/${fax.id}/document?purpose=download`)}
          icon="download"
          label={t.sent.details.save}
        />
        <IconButton icon="close" label={words.close} onPress={onClose} />
      </div>
      {pdf.data ? (
        <PdfPages
          {...{ reader, current, withThumbs, onThumbs, onZoom }}
          pdf={pdf.data}
          title={fax.document.file_name}
          zoom={view.zoom}
          onCurrent={setCurrent}
          isSingle={view.isSingle}
          onSingle={() => setView({ ...view, isSingle: !view.isSingle })}
        />
      ) : (
        <div className={styles['waiting']}>
          {pdf.isPending && <p role="status">{t.sent.details.loadingDocument}</p>}
          <LoadProblem of={pdf} />
        </div>
      )}
    </>
  );
}
