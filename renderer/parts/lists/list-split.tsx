import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { useKeptChoice } from '../kept-choice.ts';

/** A sender and a time can be read in a list of this width, and a page beside it in the other; in px. */
const MIN_LIST = 224;
const MIN_PAGE = 420;

interface ListSplit {
  /** Of the element around the list and the page. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Has the width of the list as `--list-width`. */
  readonly style: CSSProperties;
  /** Between the list and the page. */
  readonly splitter: ReactNode;
}

/**
 * Divides a screen between its list and the page beside it, as the person chose in this browser. `usual` is the width of
 * the list until then, in px, by the width of the screen.
 */
export function useListSplit(screen: string, usual: (width: number) => number): ListSplit {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState<number | null>(null);
  const [chosen, keep] = useKeptChoice<number | null>(`${screen}.list-width`, null, (stored) =>
    typeof stored === 'number' && stored > 0 ? stored : null,
  );
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const measure = () => setWidth(element.clientWidth);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const all = width ?? window.innerWidth;
  const max = Math.max(MIN_LIST, all - MIN_PAGE);
  const value = Math.min(Math.max(chosen ?? usual(all), MIN_LIST), max);
  return {
    ref,
    style: { '--list-width': `${value}px` } as CSSProperties,
    splitter: (
      <Splitter
        label={t.ui.listWidth}
        value={value}
        min={MIN_LIST}
        max={max}
        onChange={keep}
        onReset={() => keep(null)}
      />
    ),
  };
}
