import type { ReactNode, RefObject } from 'react';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';
import type { Zoom } from './zoom.tsx';

/** What is known of one page, beside its number: confirmed, under way, something to say about it. */
export interface PageMark {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export interface PictureRequest {
  /** From 1. */
  readonly page: number;
  readonly size: 'thumb' | 'sheet';
  /** Tell the width of the page divided by its height as soon as it is known. */
  readonly onAspect: (aspect: number) => void;
}

export interface PageViewerProps {
  /** How many pages the document has. */
  readonly count: number;
  readonly current: number;
  readonly onCurrent: (page: number) => void;
  readonly zoom: Zoom;
  /** Default: they are shown when there are several pages. */
  readonly withThumbs?: boolean;
  /** The frame around the page, which can take the focus. */
  readonly frameRef?: RefObject<HTMLDivElement | null>;
  /** Quarter turns to the right of the page that is shown, only for the eye. */
  readonly turns?: number;
  readonly marks?: ReadonlyMap<number, PageMark>;
  /** Draws one page into the place it is given. */
  readonly picture: (request: PictureRequest) => ReactNode;
}
