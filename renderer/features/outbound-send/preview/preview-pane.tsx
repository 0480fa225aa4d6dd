import { lazy, Suspense } from 'react';
import { loadPart } from '../../../api/load-part.ts';
import type { Preview } from '../../../parts/previews/preview-run.ts';
import { failureOf } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { Pane, PaneHead } from '../../../ui/pane.tsx';
import styles from './preview-pane.module.css';
import type { PreviewPaneProps } from './preview-tools.tsx';

const loadPages = () => loadPart(() => import('./preview-pages.tsx'));
const QuotedCost = lazy(() => loadPart(() => import('./quoted-cost.tsx')));
const QuotedRoutes = lazy(() => loadPart(() => import('./quoted-routes.tsx')));
const CoverOnly = lazy(async () => ({
  default: (await loadPart(() => import('../cover/cover-only.tsx'))).CoverOnly,
}));
const PreviewPages = lazy(async () => ({ default: (await loadPages()).PreviewPages }));

/** In advance, as the list of documents. */
export function loadPreviewPages(): void {
  loadPages().catch(() => undefined);
}

/** Shows the preview as the receiving machine will print it, page by page while it is drawn. */
export function PreviewPane(props: PreviewPaneProps) {
  const { preview } = props.state;
  return (
    <Pane label={t.send.print}>
      <PaneHead title={t.send.print}>{preview && <Estimate {...props} preview={preview} />}</PaneHead>
      <Suspense>
        {preview ? <PreviewPages {...props} preview={preview} /> : <WithoutDocument {...props} />}
      </Suspense>
    </Pane>
  );
}

function Estimate({
  preview,
  isCallFree,
  encodedCall,
  sendAt,
  cover,
}: Pick<PreviewPaneProps, 'isCallFree' | 'encodedCall' | 'sendAt' | 'cover'> & { preview: Preview }) {
  const { drawn, to } = preview;
  // A cover page takes about as long as a page of the document.
  const ahead = cover.page === null ? 0 : 1;
  const pages = preview.pages + ahead;
  const seconds = preview.seconds && Math.round((preview.seconds * pages) / preview.pages);
  const call = encodedCall === null && seconds !== null ? { pages, seconds } : encodedCall;
  return (
    <p className={styles['estimate']}>
      <b>{t.send.pages(formatCount(pages), pages === 1)}</b>
      {seconds === null ? (
        <span>{t.send.drawn(formatCount(drawn), formatCount(preview.pages))}</span>
      ) : (
        !isCallFree &&
        call !== null &&
        call !== 'pending' && (
          <>
            <span>
              {t.send.about}
              <b>{formatDuration(call.seconds)}</b>
            </span>
            {to !== null && (
              <Suspense>
                <QuotedCost fax={{ to, ...call, sendAt }} />
                <QuotedRoutes fax={{ to, ...call, sendAt }} />
              </Suspense>
            )}
          </>
        )
      )}
    </p>
  );
}

/** The cover page alone, before there is a document. */
function WithoutDocument(props: PreviewPaneProps) {
  const { state, cover } = props;
  const isIdle = state.phase === 'none' && state.refused.size === 0;
  return isIdle && cover.src !== null ? <CoverOnly src={cover.src} /> : <NoPages {...props} />;
}

/** In place of the pages: what is going on, or what to do. */
function NoPages({ state, previews }: PreviewPaneProps) {
  const words = t.send;
  if (state.phase === 'failed') {
    const again = <Button onPress={() => previews.retry()}>{words.tryAgain}</Button>;
    return (
      <div className={styles['empty']} role="alert">
        <EmptyState icon="alert" title={words.printFailed} action={again}>
          {failureOf(state)} {words.printFailedSentence}
        </EmptyState>
      </div>
    );
  }
  return (
    <div className={styles['empty']}>
      {state.phase === 'uploading' ? (
        <EmptyState icon="upload" title={state.part < 1 ? words.printUploading : words.printReading} />
      ) : state.refused.size > 0 ? (
        <EmptyState icon="alert" title={words.printRefused}>
          {words.printRefusedSentence}
        </EmptyState>
      ) : (
        <EmptyState icon="file" title={words.printEmpty}>
          {words.printEmptySentence}
        </EmptyState>
      )}
    </div>
  );
}
