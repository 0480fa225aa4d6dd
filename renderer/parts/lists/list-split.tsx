import { type CSSProperties, type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { Splitter } from '../../ui/splitter.tsx';
import { TEXT_SCALE, useTextSize } from '../../ui/text-size.ts';
import { useKeptChoice } from '../kept-choice.ts';

/** Narrowest list, and least room beside it, in px. */
interface SplitLimits {
  readonly list: number;
  readonly beside: number;
}

/** A sender and a time can be read in such a list, and a page beside it. */
const LIMITS: SplitLimits = { list: 224, beside: 420 };

export interface ListSplit {
  /** Of the element around the list and the page. */
  readonly ref: RefObject<HTMLDivElement | null>;
  /** Has the width of the list as `--list-width`. */
  readonly style: CSSProperties;
  /** Between the list and the page. */
  readonly splitter: ReactNode;
}

/**
 * Divides a screen between its list and the page beside it, as the person chose in this browser. `usual` is the width of
 * the list until then, in px, by the width of the screen; it grows with the texts.
 */
export function useListSplit(
  screen: string,
  usual: (width: number) => number,
  limits: SplitLimits = LIMITS,
): ListSplit {
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
  const scale = TEXT_SCALE[useTextSize()];
  const all = width ?? window.innerWidth;
  const max = Math.max(limits.list, all - limits.beside);
  const value = Math.min(Math.max(chosen ?? usual(all) * scale, limits.list), max);
  return {
    ref,
    style: { '--list-width': `${value}px` } as CSSProperties,
    splitter: (
      <Splitter
        label={t.ui.listWidth}
        value={value}
        min={limits.list}
        max={max}
        onChange={keep}
        onReset={() => keep(null)}
      />
    ),
  };
}
