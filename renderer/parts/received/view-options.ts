import type { Zoom } from '../pages/zoom.tsx';

/** How faxes are looked at; stays from one fax to the next. */
export interface ViewOptions {
  readonly zoom: Zoom;
  readonly withThumbs: boolean;
  /** Whether the details are open; null as long as nobody chose: where there is room. */
  readonly drawer: boolean | null;
}

export interface ViewProps {
  readonly view: ViewOptions;
  readonly onView: (view: ViewOptions) => void;
}
