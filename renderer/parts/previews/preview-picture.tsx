import { openedAddress } from '../../api/page-token.ts';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { PageImage, PageWaiting } from '../pages/page-image.tsx';
import type { PictureRequest } from '../pages/page-props.ts';

interface PreviewPictureProps {
  /** Of the preview at the gateway. */
  readonly id: string;
  /** Number of pages drawn so far. */
  readonly drawn: number;
  /** Of that preview, without the pages before it. */
  readonly request: PictureRequest;
  /** Number of pages before it. */
  readonly ahead?: number;
  /** The gateway has it no more. */
  readonly onLost: () => void;
}

/** Shows one page of a preview. The first is requested before it is drawn; the gateway responds as soon as it is. */
export function PreviewPicture({ id, drawn, request, ahead = 0, onLost }: PreviewPictureProps) {
  const { page, size } = request;
  const isThere = page <= Math.max(drawn, 1);
  if (!isThere) return size === 'thumb' ? null : <PageWaiting>{t.ui.pages.drawing}</PageWaiting>;
  return (
    <PageImage
      src={openedAddress(`/fax/preview/${encodeURIComponent(id)}/${page}.png`)}
      alt={t.send.pageAlt(formatCount(page + ahead))}
      request={request}
      onGone={onLost}
    />
  );
}
