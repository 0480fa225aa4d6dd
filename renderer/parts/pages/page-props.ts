import type { ReactNode } from 'react';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';
import type { Reader } from './reader.ts';
import type { Zoom } from './zoom.tsx';

/** Mark beside the number of a page: confirmed, under way, or with a note. */
export interface PageMark {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export interface PictureRequest {
  /** From 1. */
  readonly page: number;
  /** `thumb` beside the pages; `strip`, as small, in the place of the page until its `sheet` is drawn. */
  readonly size: 'thumb' | 'strip' | 'sheet';
  /** Called with the aspect ratio of the page, width divided by height, as soon as it is known. */
  readonly onAspect: (aspect: number) => void;
  /** Called when the picture can be shown without a wait. */
  readonly onReady?: () => void;
}

/** Direction of a quarter turn; for one page or for all. */
export type OnTurn = (by: 1 | -1, of: 'page' | 'all') => void;

export interface PageViewerProps {
  readonly reader: Reader;
  /** Number of pages of the document. */
  readonly count: number;
  readonly current: number;
  readonly onCurrent: (page: number) => void;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
  /** Default: they are shown when there are several pages. */
  readonly withThumbs?: boolean;
  readonly onThumbs?: () => void;
  /** One page at a time instead of all below each other. */
  readonly isSingle?: boolean;
  readonly onSingle?: () => void;
  /** Returns the quarter turns to the right of a page; the same function as long as no page is turned. */
  readonly turnsOf?: (page: number) => number;
  readonly onTurn?: OnTurn;
  readonly marks?: ReadonlyMap<number, PageMark>;
  /** False where small pictures cost as much as large ones. */
  readonly hasStrips?: boolean;
  /** Called once, when the first full drawing is shown or cannot be had: now there is time for other work. */
  readonly onBegun?: () => void;
  /** Called with the width of the current page in dots of the screen. */
  readonly onWidth?: (dots: number) => void;
  /** Draws one page into the place it is given; the same function until it draws something else. */
  readonly picture: (request: PictureRequest) => ReactNode;
}
