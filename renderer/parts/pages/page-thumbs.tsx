import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import type { PageMark, PageViewerProps } from './page-props.ts';
import styles from './page-viewer.module.css';

/** A picture, its number and the gap to the next, in px. */
const ROW = 104;
const STEPS: Readonly<Record<string, (page: number, count: number) => number>> = {
  ArrowDown: (page) => page + 1,
  ArrowUp: (page) => page - 1,
  Home: () => 1,
  End: (_, count) => count,
};

interface PageThumbsProps extends PageViewerProps {
  readonly turnsOf: (page: number) => number;
  /** Their pictures are requested once a page is drawn. */
  readonly isBegun: boolean;
}

/** The pages in small. Its place is there before them, so that the page that is read moves nowhere. */
export function PageThumbs(props: PageThumbsProps & { isWhole: boolean }) {
  return (
    <nav className={styles['thumbs']} aria-label={t.ui.pages.title}>
      {props.isWhole && <Thumbs {...props} />}
    </nav>
  );
}

/** Only those in sight are drawn, so two hundred cost what ten cost. */
function Thumbs(props: PageThumbsProps) {
  const { reader, count, current, marks, turnsOf, picture, isBegun } = props;
  const show = (page: number) => reader.go.current(page);
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 3,
    paddingStart: 16,
  });
  useEffect(() => {
    rows.scrollToIndex(current - 1, { align: 'auto' });
  }, [rows, current]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = STEPS[event.key]?.(current, count);
    if (next === undefined) return;
    event.preventDefault();
    const page = Math.min(Math.max(next, 1), count);
    show(page);
    // The button of a page out of sight is drawn only after the scroll.
    requestAnimationFrame(() => scroller.current?.querySelector<HTMLElement>('[aria-current]')?.focus());
  };
  return (
    <div className={styles['scroll']} ref={scroller} tabIndex={-1} onKeyDown={onKeyDown}>
      <div className={styles['track']} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => (
          <button
            key={index}
            type="button"
            className={styles['thumb']}
            style={{ transform: `translateY(${start}px)` }}
            tabIndex={index + 1 === current ? 0 : -1}
            aria-current={index + 1 === current ? 'page' : undefined}
            aria-label={labelOf(index + 1, marks?.get(index + 1))}
            title={marks?.get(index + 1)?.word}
            onClick={() => show(index + 1)}
          >
            <span className={styles['small']} data-turns={turnsOf(index + 1) % 4 || undefined}>
              {isBegun && picture({ page: index + 1, size: 'thumb', onAspect: ignore })}
            </span>
            <Number page={index + 1} mark={marks?.get(index + 1)} />
          </button>
        ))}
      </div>
    </div>
  );
}

function labelOf(page: number, mark: PageMark | undefined): string {
  const name = t.ui.pages.page(formatCount(page));
  return mark ? `${name}, ${mark.word}` : name;
}

function Number({ page, mark }: { page: number; mark: PageMark | undefined }) {
  if (!mark) return <span>{formatCount(page)}</span>;
  return (
    <StateWord tone={mark.tone} icon={mark.icon}>
      {formatCount(page)}
    </StateWord>
  );
}

function ignore(): void {}
