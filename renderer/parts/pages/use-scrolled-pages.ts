import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { boxAt, GAP, type PageLayout } from './page-layout.ts';
import type { Reader } from './reader.ts';

/** Part of the frame from its top where the page stands that counts as the current one. */
const READING_LINE = 1 / 3;

/** Point of a page that stays in its place on the screen while the size of the pages changes. */
interface Anchor {
  readonly page: number;
  /** Parts of the height and the width of the page. */
  readonly down: number;
  readonly across: number;
  /** Place in the frame, in px. */
  readonly x: number;
  readonly y: number;
}

interface ScrolledPages {
  /** Call on each scroll of the frame. */
  readonly onScroll: () => void;
  /** Shows a page from its top, or from its bottom. */
  readonly go: (page: number, end?: 'bottom') => void;
  /** Keeps this point of the frame in place through the next change of the layout. */
  readonly holdAt: (x: number, y: number) => void;
}

/** Follows which page is in view, leads to a page, and keeps the place while pages change their size. */
export function useScrolledPages(on: {
  readonly reader: Reader;
  readonly layout: PageLayout | null;
  readonly current: number;
  readonly onCurrent: (page: number) => void;
}): ScrolledPages {
  const { reader, layout, current } = on;
  const latest = useRef(on);
  latest.current = on;
  const anchor = useRef<Anchor | null>(null);
  /** Page that was gone to, which may not reach the top of the frame, and the scroll position since. */
  const gone = useRef<{ page: number; end: 'top' | 'bottom'; top: number } | null>(null);
  const reported = useRef(current);
  /** Pages that were reported and have not come back yet. */
  const underway = useRef<number[]>([]);
  const before = useRef<PageLayout | null>(null);

  const report = (page: number) => {
    if (reported.current === page) return;
    reported.current = page;
    underway.current.push(page);
    reader.page.current = page;
    latest.current.onCurrent(page);
  };
  const place = () => {
    const element = reader.frame.current;
    const target = gone.current;
    const box = latest.current.layout?.boxes.find(({ page }) => page === target?.page);
    if (!element || !target || !box) return;
    element.scrollTop =
      target.end === 'top' ? box.top - GAP : box.top + box.height + GAP - element.clientHeight;
    gone.current = { ...target, top: element.scrollTop };
    anchor.current = anchorAt(element, latest.current.layout, { x: element.clientWidth / 2, y: 0 });
  };
  const go = (page: number, end: 'top' | 'bottom' = 'top') => {
    gone.current = { page, end, top: 0 };
    place();
    report(page);
  };
  reader.go.current = go;
  reader.page.current = reported.current;
  const hold = (x: number, y: number) => {
    const element = reader.frame.current;
    if (element) anchor.current = anchorAt(element, latest.current.layout, { x, y });
  };

  useLayoutEffect(() => {
    const element = reader.frame.current;
    const previous = before.current;
    before.current = layout;
    if (!element || !layout) return;
    const kept = anchor.current;
    // Nothing moves while nothing changes its place: the person may be scrolling.
    if (isInPlace(previous, layout, gone.current?.page ?? kept?.page)) return;
    if (gone.current) return place();
    const box = layout.boxes.find(({ page }) => page === kept?.page);
    if (!kept || !box) return;
    element.scrollTop = box.top + kept.down * box.height - kept.y;
    element.scrollLeft = box.left + kept.across * box.width - kept.x;
  }, [reader.frame, layout]);
  useChosenPage({ current, reported, underway, go });

  return {
    go,
    holdAt: (x, y) => {
      gone.current = null;
      hold(x, y);
    },
    onScroll() {
      const element = reader.frame.current;
      if (!element || !layout) return;
      if (gone.current && Math.abs(element.scrollTop - gone.current.top) < 2) return;
      gone.current = null;
      hold(element.clientWidth / 2, 0);
      report(pageInView(element, layout));
    },
  };
}

/** Goes to a page that somebody else chose. */
function useChosenPage(on: {
  readonly current: number;
  readonly reported: RefObject<number>;
  readonly underway: RefObject<number[]>;
  readonly go: (page: number) => void;
}): void {
  const { current, reported, underway, go } = on;
  const given = useRef(current);
  useEffect(() => {
    // Pages that were reported come back a moment later, when another may be in view.
    if (current === reported.current) underway.current = [];
    else if (current !== given.current && !underway.current.includes(current)) go(current);
    given.current = current;
  });
}

function isInPlace(previous: PageLayout | null, next: PageLayout, page: number | undefined): boolean {
  const [was, is] = [previous, next].map((layout) => layout?.boxes.find((box) => box.page === page));
  if (!was || !is || previous?.width !== next.width) return false;
  return was.top === is.top && was.left === is.left && was.height === is.height;
}

function pageInView(element: HTMLElement, layout: PageLayout): number {
  const { scrollTop, clientHeight, scrollHeight } = element;
  const isEnd = scrollTop > 1 && scrollTop + clientHeight >= scrollHeight - 1;
  const line = isEnd ? scrollHeight : scrollTop <= 1 ? 0 : scrollTop + clientHeight * READING_LINE;
  return boxAt(layout, line)?.page ?? 1;
}

function anchorAt(
  element: HTMLElement,
  layout: PageLayout | null,
  { x, y }: { x: number; y: number },
): Anchor | null {
  const box = layout && boxAt(layout, element.scrollTop + y);
  if (!box) return null;
  return {
    page: box.page,
    down: (element.scrollTop + y - box.top) / box.height,
    across: (element.scrollLeft + x - box.left) / box.width,
    x,
    y,
  };
}
