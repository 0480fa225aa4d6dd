import { PageImage, PageWaiting } from '../../../parts/pages/page-image.tsx';
import type { PictureRequest } from '../../../parts/pages/page-props.ts';
import { t } from '../../../texts/index.ts';

/** Shows the cover page; an earlier picture of it stays until the next one is there. */
export function CoverPicture({ src, request }: { src: string | null; request: PictureRequest }) {
  if (src === null) return request.size === 'thumb' ? null : <PageWaiting>{t.ui.pages.drawing}</PageWaiting>;
  return <PageImage src={src} alt={t.send.cover.alt} request={request} />;
}
