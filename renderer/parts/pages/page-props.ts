import type { ReactNode, RefObject } from 'react';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';
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
  readonly size: 'thumb' | 'sheet';
  /** Called with the aspect ratio of the page, width divided by height, as soon as it is known. */
  readonly onAspect: (aspect: number) => void;
}

export interface PageViewerProps {
  /** Number of pages of the document. */
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
