import { useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import type { PageViewerProps } from './page-props.ts';
import { PageThumbs } from './page-thumbs.tsx';
import styles from './page-viewer.module.css';
import { usePageKeys } from './use-page-keys.ts';

/** Fine resolution: 1728 dots at 204 dpi by the lines of a letter sheet at 196 dpi. */
const DEFAULT_ASPECT = 8.47 / 11;

/** Small pages at the side, the chosen one as large as it fits. Paper is never inverted, in dark only dimmed. */
export function PageViewer(props: PageViewerProps) {
  const { count, withThumbs = true } = props;
  return (
    <div className={styles['backdrop']}>
      {count > 1 && withThumbs && <PageThumbs {...props} />}
      <Sheet {...props} />
    </div>
  );
}

function Sheet(props: PageViewerProps) {
  const { count, current, onCurrent, zoom, turns = 0, picture } = props;
  const own = useRef<HTMLDivElement>(null);
  const frame = props.frameRef ?? own;
  const [aspects, setAspects] = useState<ReadonlyMap<number, number>>(new Map());
  const aspect = aspects.get(current) ?? DEFAULT_ASPECT;
  const onAspect = (next: number) => {
    if (aspects.get(current) !== next) setAspects(new Map(aspects).set(current, next));
  };
  const go = (page: number, end?: 'bottom') => {
    onCurrent(page);
    requestAnimationFrame(() =>
      frame.current?.scrollTo({ top: end === 'bottom' ? frame.current.scrollHeight : 0 }),
    );
  };
  usePageKeys({ frame, current, count, go });
  return (
    <div
      ref={frame}
      className={styles['frame']}
      // A larger page is moved with the arrow keys.
      tabIndex={0}
      role="group"
      aria-label={t.ui.pages.of(formatCount(current), formatCount(count))}
    >
      <div
        key={current}
        className={styles['sheet']}
        data-zoom={typeof zoom === 'number' ? 'part' : zoom}
        data-turns={turns % 4 || undefined}
        style={
          {
            '--aspect': turns % 2 === 1 ? 1 / aspect : aspect,
            '--part': typeof zoom === 'number' ? zoom : 1,
          } as React.CSSProperties
        }
      >
        {picture({ page: current, size: 'sheet', onAspect })}
      </div>
    </div>
  );
}
