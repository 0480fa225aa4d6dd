import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { client } from '../../../api/client.ts';
import { loadPart } from '../../../api/load-part.ts';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { documentPagesSent, type Fax } from '../../../parts/fax-state.ts';
import { PageNumber } from '../../../parts/pages/page-number.tsx';
import type { PictureRequest } from '../../../parts/pages/page-props.ts';
import { PageViewer } from '../../../parts/pages/page-viewer.tsx';
import { PdfPicture } from '../../../parts/pages/pdf-picture.tsx';
import { useReader } from '../../../parts/pages/reader.ts';
import { ZoomButtons } from '../../../parts/pages/zoom.tsx';
import { PreviewPicture } from '../../../parts/previews/preview-picture.tsx';
import { t } from '../../../texts/index.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount } from '../../../ui/format.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import { usePreviewView } from '../preview/use-preview-view.ts';
import { pageOutcomes } from './page-outcome.ts';
import styles from './sending-screen.module.css';
import { forgetPages, pagesOfSent } from './sent-pages.ts';

/** The pages of a fax that was sent: as they were previewed, or its document when the preview is gone. */
export function SentDocument({ fax }: { fax: Fax }) {
  const [preview, setPreview] = useState(() => pagesOfSent(fax.id));
  const mayRead = usePermission('fax:document');
  if (preview)
    return (
      <Document
        fax={fax}
        title={titleOf(fax, t.send.print)}
        hasStrips={false}
        picture={(request) => (
          <PreviewPicture
            id={preview.preview_id}
            // A page that is still drawn comes when it is.
            drawn={preview.pages}
            request={request}
            onLost={() => {
              forgetPages(fax.id);
              setPreview(null);
            }}
          />
        )}
      />
    );
  if (mayRead) return <PdfOfFax fax={fax} />;
  return (
    <Empty fax={fax}>
      <EmptyState icon="lock" title={t.send.documentHidden}>
        {t.send.documentHiddenSentence}
      </EmptyState>
    </Empty>
  );
}

/** Returns the title of the pages: those sent, once delivered, and before that those to be printed. */
function titleOf({ delivery_state }: Fax, before: string): string {
  if (delivery_state === 'success') return t.send.pagesSent;
  return delivery_state === 'failed' || delivery_state === 'cancelled' ? t.send.document : before;
}

function PdfOfFax({ fax }: { fax: Fax }) {
  const pdf = useQuery({
    queryKey: ['fax-pdf', fax.id, 'document'],
    gcTime: 0,
    structuralSharing: false,
    queryFn: async ({ signal }) => {
      const bytes = await client.outbound.faxDocument({
        params: { id: fax.id },
        query: { purpose: 'open' },
        signal,
      });
      const { openPdf } = await loadPart(() => import('../../../parts/pages/pdf-document.ts'));
      return openPdf(bytes);
    },
  });
  if (pdf.data) {
    const { data } = pdf;
    return (
      <Document
        fax={fax}
        title={titleOf(fax, t.send.document)}
        picture={(request) => (
          <PdfPicture pdf={data} request={request} alt={t.ui.pages.page(formatCount(request.page))} />
        )}
      />
    );
  }
  return (
    <Empty fax={fax}>
      {pdf.error && (
        <EmptyState
          icon="alert"
          title={t.send.documentGone}
          action={<Button onPress={() => void pdf.refetch()}>{t.ui.tryAgain}</Button>}
        >
          {sentenceOf(pdf.error)}
        </EmptyState>
      )}
    </Empty>
  );
}

function Document(props: {
  fax: Fax;
  title: string;
  hasStrips?: boolean;
  picture: (request: PictureRequest) => ReactNode;
}) {
  const { fax, title, hasStrips = true, picture } = props;
  const reader = useReader();
  const [current, setCurrent] = useState(1);
  const view = usePreviewView();
  const count = fax.document.pages;
  return (
    <Pane label={title}>
      <PaneHead title={title}>
        <PageCount fax={fax} />
        {count > 1 && (
          <IconButton
            icon="thumbs"
            label={t.ui.pages.keys.thumbs}
            isOn={view.withThumbs}
            onPress={view.onThumbs}
          />
        )}
        <PageNumber count={count} current={current} reader={reader} />
        <ZoomButtons zoom={view.zoom} onZoom={view.onZoom} reader={reader} />
      </PaneHead>
      <div className={styles['backdrop']}>
        <PageViewer
          {...view}
          {...{ reader, current, count, hasStrips, picture }}
          onCurrent={setCurrent}
          marks={pageOutcomes(fax)}
        />
      </div>
    </Pane>
  );
}

function Empty({ fax, children }: { fax: Fax; children: ReactNode }) {
  return (
    <Pane label={t.send.document}>
      <PaneHead title={t.send.document}>
        <PageCount fax={fax} />
      </PaneHead>
      <div className={styles['empty']}>{children}</div>
    </Pane>
  );
}

function PageCount({ fax }: { fax: Fax }) {
  const { pages } = fax.document;
  const sent = documentPagesSent(fax);
  return (
    <p className={styles['count']}>
      <b>{t.send.pages(formatCount(pages), pages === 1)}</b>
      {sent !== null && !fax.test && (
        <span>
          <b>{formatCount(sent)}</b> {t.send.steps.confirmed}
        </span>
      )}
    </p>
  );
}
