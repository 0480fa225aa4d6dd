import { useCallback, useState } from 'react';
import type { PageMark, PictureRequest } from '../../../parts/pages/page-props.ts';
import { PageViewer } from '../../../parts/pages/page-viewer.tsx';
import { useReader } from '../../../parts/pages/reader.ts';
import { PreviewPicture } from '../../../parts/previews/preview-picture.tsx';
import type { Preview } from '../../../parts/previews/preview-run.ts';
import { failureOf, type PreviewState, type PreviewStore } from '../../../parts/previews/preview-store.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { CoverPicture } from '../cover/cover-picture.tsx';
import styles from './preview-pane.module.css';
import { type PreviewPaneProps, PreviewTools } from './preview-tools.tsx';
import { usePreviewView } from './use-preview-view.ts';

/** The pages, as far as they are drawn, with the tools above them. */
export function PreviewPages(props: PreviewPaneProps & { preview: Preview }) {
  const { preview, previews, state } = props;
  const view = usePreviewView();
  const [chosen, setChosen] = useState(1);
  const reader = useReader();
  const { page: coverPage, src } = props.cover;
  const ahead = coverPage === null ? 0 : 1;
  const count = preview.pages + ahead;
  const current = Math.min(chosen, count);
  const { preview_id, drawn } = preview;
  const picture = useCallback(
    (request: PictureRequest) =>
      request.page <= ahead ? (
        <CoverPicture src={src} request={request} />
      ) : (
        <PreviewPicture
          id={preview_id}
          drawn={drawn}
          request={{ ...request, page: request.page - ahead }}
          ahead={ahead}
          onLost={() => previews.checkExistence()}
        />
      ),
    [preview_id, drawn, previews, ahead, src],
  );
  return (
    <>
      <PreviewTools {...props} {...view} {...{ reader, current }} onCurrent={setChosen} />
      {state.phase === 'failed' && <Failure state={state} previews={previews} />}
      <PageViewer
        {...view}
        {...{ reader, current, picture }}
        count={count}
        onCurrent={setChosen}
        marks={marksOf(preview, ahead)}
        hasStrips={false}
      />
    </>
  );
}

/** Returns the marks of pages that have notes. */
function marksOf({ notes }: Preview, ahead: number): ReadonlyMap<number, PageMark> {
  return new Map(
    notes.map(({ page }) => [page + ahead, { tone: 'warn', icon: 'warn', word: t.send.noteMark }]),
  );
}

function Failure({ state, previews }: { state: PreviewState; previews: PreviewStore }) {
  return (
    <div className={styles['failure']} role="alert">
      <span>{failureOf(state)}</span>
      <Button onPress={() => previews.retry()}>{t.send.tryAgain}</Button>
    </div>
  );
}
