import { useCallback } from 'react';
import type { PictureRequest } from '../../../parts/pages/page-props.ts';
import { PageViewer } from '../../../parts/pages/page-viewer.tsx';
import { useReader } from '../../../parts/pages/reader.ts';
import { usePreviewView } from '../preview/use-preview-view.ts';
import { CoverPicture } from './cover-picture.tsx';

/** The cover page before there is a document. */
export function CoverOnly({ src }: { src: string }) {
  const view = usePreviewView();
  const reader = useReader();
  const picture = useCallback((request: PictureRequest) => <CoverPicture {...{ src, request }} />, [src]);
  return (
    <PageViewer
      {...view}
      {...{ reader, picture }}
      withThumbs={false}
      count={1}
      current={1}
      onCurrent={() => undefined}
      hasStrips={false}
    />
  );
}
