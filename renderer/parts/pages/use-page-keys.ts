import type { RefObject } from 'react';
import { t } from '../../texts/index.ts';
import { type Action, useActions } from '../../ui/actions.tsx';

/** One press of an arrow, in px. */
const LINE = 56;
/** Part of the frame that Space scrolls, so that the last lines stay in sight. */
const SCREEN = 0.9;

interface Pages {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** From 1. */
  readonly current: number;
  readonly count: number;
  /** Shows a page from its top, or from its bottom. */
  readonly go: (page: number, end?: 'bottom') => void;
}

/**
 * Registers the keys that scroll and turn pages. They work wherever the focus is, stop at both ends of the document, and
 * open no other one.
 */
export function usePageKeys({ frame, current, count, go }: Pages): void {
  const words = t.ui.pages;
  const turn = (by: 1 | -1) => go(Math.min(Math.max(current + by, 1), count));
  const scroll = (px: number) => {
    const element = frame.current;
    if (!element) return;
    const left = element.scrollHeight - element.clientHeight - element.scrollTop;
    if (px > 0 && left <= 1) return current < count ? go(current + 1) : undefined;
    if (px < 0 && element.scrollTop <= 1) return current > 1 ? go(current - 1, 'bottom') : undefined;
    element.scrollBy({ top: px, behavior: 'instant' });
  };
  const screen = (direction: 1 | -1) => scroll(direction * SCREEN * (frame.current?.clientHeight ?? 0));
  const sideways = (direction: 1 | -1) => {
    const element = frame.current;
    if (!element || element.scrollWidth <= element.clientWidth + 1) return turn(direction);
    element.scrollBy({ left: direction * LINE, behavior: 'instant' });
  };
  const key = (id: string, keys: string, run: () => void): Action => ({
    id: `page-${id}`,
    label: words.keys[id as keyof typeof words.keys],
    keys,
    isRepeated: true,
    within: frame,
    run,
  });
  useActions(words.title, [
    key('screenDown', 'space', () => screen(1)),
    key('screenUp', 'shift+space', () => screen(-1)),
    key('next', 'pagedown', () => turn(1)),
    key('back', 'pageup', () => turn(-1)),
    key('right', 'arrowright', () => sideways(1)),
    key('left', 'arrowleft', () => sideways(-1)),
    key('lineDown', 'arrowdown', () => scroll(LINE)),
    key('lineUp', 'arrowup', () => scroll(-LINE)),
    key('first', 'home', () => go(1)),
    key('last', 'end', () => go(count)),
  ]);
}
