import { openedAddress } from '../../../api/page-token.ts';
import { PageImage, PageWaiting } from '../../../parts/pages/page-image.tsx';
import type { PictureRequest } from '../../../parts/pages/page-props.ts';
import { t } from '../../../texts/index.ts';
import { formatCount } from '../../../ui/format.ts';

export interface PreviewPictureProps {
  /** Of the preview at the gateway. */
  readonly id: string;
  /** How many pages are drawn. */
  readonly drawn: number;
  readonly request: PictureRequest;
  /** The gateway has it no more. */
  readonly onLost: () => void;
}

/** One page of a preview. The first is asked for before it is drawn: the gateway answers the moment it is. */
export function PreviewPicture({ id, drawn, request, onLost }: PreviewPictureProps) {
  const { page, size } = request;
  const isThere = page <= Math.max(drawn, 1);
  if (!isThere) return size === 'thumb' ? null : <PageWaiting>{t.ui.pages.drawing}</PageWaiting>;
  return (
    <PageImage
      src={openedAddress(`/fax/preview/${encodeURIComponent(id)}/${page}.png`)}
      alt={t.send.pageAlt(formatCount(page))}
      request={request}
      onGone={onLost}
    />
  );
}
