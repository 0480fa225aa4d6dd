import { type RefObject, useRef } from 'react';

/** State shared by the pages and the tools above them. */
export interface Reader {
  /** The frame around the pages, which scrolls and can take the focus. */
  readonly frame: RefObject<HTMLDivElement | null>;
  /** Size of the current page as it is shown; 1 is the size of its paper. */
  readonly scale: RefObject<number>;
  /** Page in view, also before it is drawn. */
  readonly page: RefObject<number>;
  /** Scrolls to the top of a page. */
  readonly go: RefObject<(page: number) => void>;
}

/** Returns the reader of a document; `frame` where somebody else leads the focus to its pages. */
export function useReader(frame?: RefObject<HTMLDivElement | null>): Reader {
  const own = useRef<HTMLDivElement>(null);
  const scale = useRef(1);
  const go = useRef<(page: number) => void>(() => undefined);
  const page = useRef(1);
  return { frame: frame ?? own, scale, page, go };
}
