import { type RefObject, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { layOutPages, type PageLayout, scaleOf } from './page-layout.ts';
import type { PageViewerProps } from './page-props.ts';
import { PageSheet } from './page-sheet.tsx';
import { PageThumbs } from './page-thumbs.tsx';
import styles from './page-viewer.module.css';
import { useDragScroll } from './use-drag-scroll.ts';
import { useFrameSize } from './use-frame-size.ts';
import { usePageKeys } from './use-page-keys.ts';
import { useFullPages, useStrips } from './use-pictured-pages.ts';
import { useScrolledPages } from './use-scrolled-pages.ts';
import { useWheelZoom } from './use-wheel-zoom.ts';

const upright = () => 0;

/**
 * The pages of a document below each other, with small ones at the side. Paper is never inverted, in dark only dimmed.
 */
export function PageViewer(props: PageViewerProps) {
  const { count, withThumbs = true, turnsOf = upright } = props;
  /** A page was drawn in full, or could not be: the page that is read comes before all other pictures. */
  const [isBegun, setBegun] = useState(false);
  const tell = useRef(props.onBegun);
  tell.current = props.onBegun;
  const onDrawn = useCallback(() => setBegun(true), []);
  useEffect(() => {
    if (isBegun) tell.current?.();
  }, [isBegun]);
  const isWhole = useRest(isBegun);
  return (
    <div className={styles['backdrop']}>
      {count > 1 && withThumbs && (
        <PageThumbs {...props} turnsOf={turnsOf} isWhole={isWhole} isBegun={isBegun} />
      )}
      <Frame {...props} turnsOf={turnsOf} isWhole={isWhole} isBegun={isBegun} onDrawn={onDrawn} />
    </div>
  );
}

/** Waits for the first drawing, so long that a page that is drawn at once comes before everything around it. */
const REST_MS = 300;

/** Returns whether the places of all pages are made: two hundred of them take as long as the page that is read. */
function useRest(isBegun: boolean): boolean {
  const [isWhole, setWhole] = useState(false);
  useEffect(() => {
    const make = () => startTransition(() => setWhole(true));
    if (isBegun) return make();
    const timer = setTimeout(make, REST_MS);
    return () => clearTimeout(timer);
  }, [isBegun]);
  return isWhole;
}

interface FrameProps extends PageViewerProps {
  readonly turnsOf: (page: number) => number;
  /** All pages have their places; before, only the one that is read and those next to it. */
  readonly isWhole: boolean;
  readonly isBegun: boolean;
  /** The full drawing of a page is shown, or cannot be had. */
  readonly onDrawn: () => void;
}

function Frame(props: FrameProps) {
  const { reader, count, current, onCurrent, zoom, onZoom, isSingle = false, turnsOf } = props;
  const { frame } = reader;
  const { layout, onAspect } = useLayout(props);
  const scrolled = useScrolledPages({ reader, layout, current, onCurrent });
  useWidth(layout, props);
  useWheelZoom({ reader, onZoom, holdAt: scrolled.holdAt });
  useDragScroll(frame);
  usePageKeys({
    ...props,
    isSteppedByPage: isSingle || zoom === 'page',
    go: scrolled.go,
    zoomTo: onZoom,
  });
  return (
    <div
      ref={frame}
      className={styles['frame']}
      // A larger page is moved with the arrow keys.
      tabIndex={0}
      role="group"
      aria-label={t.ui.pages.of(formatCount(current), formatCount(count))}
      onScroll={scrolled.onScroll}
    >
      {layout && <Sheets {...props} layout={layout} turnsOf={turnsOf} onAspect={onAspect} />}
    </div>
  );
}

function Sheets(
  props: FrameProps & { layout: PageLayout; onAspect: (page: number, aspect: number) => void },
) {
  const { count, current, layout, turnsOf, picture, onAspect, hasStrips = true, isSingle = false } = props;
  const { isBegun, isWhole } = props;
  const isNear = useFullPages(current);
  const isFull = (page: number) => (isBegun ? isNear(page) : page === current);
  const strips = useStrips(count, current, hasStrips && isBegun);
  return (
    <div className={styles['pages']} style={{ width: layout.width, height: layout.height }}>
      {(isWhole ? layout.boxes : layout.boxes.filter(({ page }) => Math.abs(page - current) <= 1)).map(
        (box) => (
          <PageSheet
            key={box.page}
            {...box}
            turns={turnsOf(box.page) % 4}
            isCurrent={box.page === current}
            isFull={isFull(box.page)}
            hasStrip={hasStrips && (isSingle || strips.has(box.page))}
            picture={picture}
            onAspect={onAspect}
            onStrip={strips.onReady}
            onDrawn={props.onDrawn}
          />
        ),
      )}
    </div>
  );
}

/** Returns the places of the pages; null until the frame is drawn. */
function useLayout(props: PageViewerProps & { turnsOf: (page: number) => number }) {
  const { reader, count, current, zoom, isSingle = false, turnsOf } = props;
  const size = useFrameSize(reader.frame);
  const [aspects, setAspects] = useState<ReadonlyMap<number, number>>(new Map());
  const onAspect = useCallback(
    (page: number, aspect: number) =>
      setAspects((before) => {
        const known = before.get(page);
        // Small pictures are rounded to whole dots; they move nothing that is in its place.
        if (known !== undefined && Math.abs(known - aspect) < 0.02 * aspect) return before;
        return new Map(before).set(page, aspect);
      }),
    [],
  );
  const alone = isSingle ? current : null;
  const layout = useMemo(() => {
    if (!size) return null;
    const pages = alone === null ? Array.from({ length: count }, (_, index) => index + 1) : [alone];
    return layOutPages({ pages, aspects, turnsOf, zoom, frame: size });
  }, [size, count, alone, aspects, turnsOf, zoom]);
  return { layout, onAspect };
}

/** Reports how large the current page is shown. */
function useWidth(
  layout: PageLayout | null,
  { reader, current, onWidth, turnsOf }: PageViewerProps & { turnsOf: (page: number) => number },
): void {
  const box = layout?.boxes.find(({ page }) => page === current);
  const scale = box ? scaleOf(box, turnsOf(current)) : 1;
  reader.scale.current = scale;
  const width = box && (turnsOf(current) % 2 === 1 ? box.height : box.width);
  const tell: RefObject<typeof onWidth> = useRef(onWidth);
  tell.current = onWidth;
  useEffect(() => {
    if (width !== undefined) tell.current?.(width * window.devicePixelRatio);
  }, [width]);
}
