import type { PageViewerProps } from '../../../parts/pages/page-props.ts';
import { useViewOptions } from '../../../parts/received/view-options.ts';

type PreviewView = Required<
  Pick<PageViewerProps, 'zoom' | 'onZoom' | 'withThumbs' | 'onThumbs' | 'isSingle' | 'onSingle'>
>;

/** Returns how the person views pages that are sent, and the functions that change it. Pages are never turned: they print upright. */
export function usePreviewView(): PreviewView {
  const [view, setView] = useViewOptions('send');
  const { zoom, isSingle } = view;
  const withThumbs = view.withThumbs ?? true;
  return {
    zoom,
    withThumbs,
    isSingle,
    onZoom: (next) => setView({ ...view, zoom: next }),
    onThumbs: () => setView({ ...view, withThumbs: !withThumbs }),
    onSingle: () => setView({ ...view, isSingle: !isSingle }),
  };
}
