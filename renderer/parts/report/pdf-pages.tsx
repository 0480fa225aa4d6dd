import { useCallback } from 'react';
import { t } from '../../texts/sent.ts';
import type { PictureRequest } from '../pages/page-props.ts';
import { PageViewer } from '../pages/page-viewer.tsx';
import type { PdfDocument } from '../pages/pdf-document.ts';
import { PdfPicture } from '../pages/pdf-picture.tsx';
import type { Reader } from '../pages/reader.ts';
import { useTurns } from '../pages/use-turns.ts';
import type { Zoom } from '../pages/zoom.tsx';

/** The pages of a PDF, with the keys that read them. Turns last as long as it is open. */
export function PdfPages(props: {
  pdf: PdfDocument;
  zoom: Zoom;
  onZoom: (zoom: Zoom) => void;
  current: number;
  onCurrent: (page: number) => void;
  reader: Reader;
  title: string;
  withThumbs: boolean;
  onThumbs: () => void;
  isSingle: boolean;
  onSingle: () => void;
}) {
  const { pdf, title, current } = props;
  const { turnsOf, turn } = useTurns(pdf.numPages, current);
  const picture = useCallback(
    (request: PictureRequest) => (
      <PdfPicture pdf={pdf} request={request} alt={`${title}, ${t.ui.pages.page(String(request.page))}`} />
    ),
    [pdf, title],
  );
  return <PageViewer {...props} {...{ turnsOf, picture }} count={pdf.numPages} onTurn={turn} />;
}
