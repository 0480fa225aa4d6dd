import { t } from '../../texts/index.ts';
import { type Action, useActions } from '../../ui/actions.tsx';
import type { PageViewerProps } from './page-props.ts';
import { nextFit, stepFrom, type Zoom } from './zoom.tsx';

/** One press of an arrow, in px. */
const LINE = 56;
/** Part of the frame that Space scrolls, so that the last lines stay in sight. */
const SCREEN = 0.9;

interface PageKeys
  extends Pick<
    PageViewerProps,
    'reader' | 'count' | 'zoom' | 'isSingle' | 'onSingle' | 'onThumbs' | 'onTurn'
  > {
  /** Space shows the next page instead of the next lines: a whole page is in view. */
  readonly isSteppedByPage: boolean;
  /** Shows a page from its top, or from its bottom. */
  readonly go: (page: number, end?: 'bottom') => void;
  readonly zoomTo: (zoom: Zoom) => void;
}

type KeyName = keyof typeof t.ui.pages.keys;

/**
 * Registers the keys that read a document. They work wherever the focus is, stop at both ends of the document, and open no
 * other one.
 */
export function usePageKeys(on: PageKeys): void {
  const { reader, zoom, zoomTo } = on;
  const { turn, scroll, screen, sideways } = scrollers(on);
  const words = t.ui.pages.keys;
  const offer = (id: KeyName, keys: readonly string[], run: (() => void) | undefined): Action[] =>
    run === undefined
      ? []
      : [
          {
            id: `page-${id}`,
            label: words[id],
            keys: keys[0] ?? '',
            alsoKeys: keys.slice(1),
            within: reader.frame,
            run,
          },
        ];
  const repeat = (id: KeyName, keys: readonly string[], run: () => void): Action[] =>
    offer(id, keys, run).map((action) => ({ ...action, isRepeated: true }));
  const step = (direction: 1 | -1) => zoomTo(stepFrom(reader.scale.current, direction));
  const { onTurn, onSingle, onThumbs } = on;
  useActions(t.ui.pages.title, [
    ...repeat('screenDown', ['space'], () => screen(1)),
    ...repeat('screenUp', ['shift+space'], () => screen(-1)),
    ...repeat('next', ['pagedown'], () => turn(1)),
    ...repeat('back', ['pageup'], () => turn(-1)),
    ...repeat('right', ['arrowright'], () => sideways(1)),
    ...repeat('left', ['arrowleft'], () => sideways(-1)),
    ...repeat('lineDown', ['arrowdown'], () => scroll(LINE)),
    ...repeat('lineUp', ['arrowup'], () => scroll(-LINE)),
    ...offer('first', ['home'], () => on.go(1)),
    ...offer('last', ['end'], () => on.go(on.count)),
    ...repeat('larger', ['+', '='], () => step(1)),
    ...repeat('smaller', ['-'], () => step(-1)),
    ...offer('fit', ['z'], () => zoomTo(nextFit(zoom))),
    ...offer('whole', ['mod+0'], () => zoomTo('page')),
    ...offer('wide', ['mod+2'], () => zoomTo('width')),
    ...offer('turn', ['r'], onTurn && (() => onTurn(1, 'page'))),
    ...offer('turnBack', ['shift+r'], onTurn && (() => onTurn(-1, 'page'))),
    ...offer('turnAll', ['alt+r'], onTurn && (() => onTurn(1, 'all'))),
    ...offer('single', ['c'], onSingle),
    ...offer('thumbs', ['t'], onThumbs),
  ]);
}

function scrollers({ reader, count, go, isSingle = false, isSteppedByPage }: PageKeys) {
  const { frame, page } = reader;
  const turn = (by: 1 | -1) => go(Math.min(Math.max(page.current + by, 1), count));
  /** Moves down or up; one page alone gives way to its neighbor at its edge. */
  const scroll = (px: number) => {
    const element = frame.current;
    if (!element) return;
    const left = element.scrollHeight - element.clientHeight - element.scrollTop;
    if (isSingle && px > 0 && left <= 1) return page.current < count ? go(page.current + 1) : undefined;
    if (isSingle && px < 0 && element.scrollTop <= 1)
      return page.current > 1 ? go(page.current - 1, 'bottom') : undefined;
    element.scrollBy({ top: px, behavior: 'instant' });
  };
  const screen = (direction: 1 | -1) => {
    const element = frame.current;
    if (!element) return;
    const isWhole = element.clientHeight >= element.scrollHeight - 1;
    if (isSteppedByPage && (!isSingle || isWhole)) return turn(direction);
    scroll(direction * SCREEN * element.clientHeight);
  };
  const sideways = (direction: 1 | -1) => {
    const element = frame.current;
    if (!element || element.scrollWidth <= element.clientWidth + 1) return turn(direction);
    element.scrollBy({ left: direction * LINE, behavior: 'instant' });
  };
  return { turn, scroll, screen, sideways };
}
