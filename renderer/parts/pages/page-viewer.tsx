import { type KeyboardEvent, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { formatCount } from '../../ui/format.ts';
import type { PageViewerProps } from './page-props.ts';
import { PageThumbs } from './page-thumbs.tsx';
import styles from './page-viewer.module.css';

/** Fine resolution: 1728 dots at 204 dpi by the lines of a letter sheet at 196 dpi. */
const DEFAULT_ASPECT = 8.47 / 11;

/** Small pages at the side, the chosen one as large as it fits. Paper is never inverted, in dark only dimmed. */
export function PageViewer(props: PageViewerProps) {
  const { count, current, onCurrent, withThumbs = true } = props;
  const go = (page: number) => onCurrent(Math.min(Math.max(page, 1), count));
  useActions(t.ui.pages.title, [
    { id: 'next', label: t.ui.pages.next, icon: 'down', keys: 'pagedown', run: () => go(current + 1) },
    { id: 'back', label: t.ui.pages.back, icon: 'up', keys: 'pageup', run: () => go(current - 1) },
  ]);
  return (
    <div className={styles['backdrop']}>
      {count > 1 && withThumbs && <PageThumbs {...props} />}
      <Sheet {...props} go={go} />
    </div>
  );
}

function Sheet(props: PageViewerProps & { go: (page: number) => void }) {
  const { count, current, zoom, turns = 0, picture, go } = props;
  const own = useRef<HTMLDivElement>(null);
  const frame = props.frameRef ?? own;
  const [aspects, setAspects] = useState<ReadonlyMap<number, number>>(new Map());
  const aspect = aspects.get(current) ?? DEFAULT_ASPECT;
  const onAspect = (next: number) => {
    if (aspects.get(current) !== next) setAspects(new Map(aspects).set(current, next));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = pageForKey(event, frame.current, { current, count });
    if (target === null) return;
    event.preventDefault();
    go(target);
    frame.current?.scrollTo({ top: 0 });
  };
  return (
    <div
      ref={frame}
      className={styles['frame']}
      // A larger page is moved with the arrow keys.
      tabIndex={0}
      role="group"
      aria-label={t.ui.pages.of(formatCount(current), formatCount(count))}
      onKeyDown={onKeyDown}
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

/** Returns the page that a key leads to; null when the key only scrolls the current page. */
function pageForKey(
  { key }: KeyboardEvent,
  frame: HTMLElement | null,
  { current, count }: { current: number; count: number },
): number | null {
  if (!frame) return null;
  const left = frame.scrollHeight - frame.clientHeight - frame.scrollTop;
  if (key === 'PageDown' && left <= 1) return current + 1;
  if (key === 'PageUp' && frame.scrollTop <= 1) return current - 1;
  if (key === 'Home') return 1;
  if (key === 'End') return count;
  return null;
}
