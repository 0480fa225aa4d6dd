import type { RefObject } from 'react';
import { t } from '../texts/index.ts';
import { type Action, useActions } from '../ui/actions.tsx';

const LINE = 56;
const SCREEN = 0.9;

/**
 * Registers the keys that scroll the details of an open fax, wherever the focus is, as those that read its pages do. They
 * open no other fax. `isOn` is false while the keys belong to pages beside the details.
 */
export function useScrollKeys(title: string, scroller: RefObject<HTMLElement | null>, isOn = true): void {
  const words = t.ui.pages.keys;
  const by = (px: (element: HTMLElement) => number) => () => {
    const element = scroller.current;
    element?.scrollBy({ top: px(element), behavior: 'instant' });
  };
  const screen = (direction: 1 | -1) => by(({ clientHeight }) => direction * SCREEN * clientHeight);
  const key = (id: keyof typeof words, keys: string, also: readonly string[], run: () => void): Action => ({
    id: `scroll-${id}`,
    label: words[id],
    keys,
    alsoKeys: also,
    isRepeated: true,
    run,
  });
  const keys = [
    key('screenDown', 'space', ['pagedown'], screen(1)),
    key('screenUp', 'shift+space', ['pageup'], screen(-1)),
    key(
      'lineDown',
      'arrowdown',
      [],
      by(() => LINE),
    ),
    key(
      'lineUp',
      'arrowup',
      [],
      by(() => -LINE),
    ),
    key(
      'top',
      'home',
      [],
      by(({ scrollHeight }) => -scrollHeight),
    ),
    key(
      'bottom',
      'end',
      [],
      by(({ scrollHeight }) => scrollHeight),
    ),
  ];
  useActions(title, isOn ? keys : []);
}
