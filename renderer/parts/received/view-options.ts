import type { Zoom } from '../pages/zoom.tsx';

/** Options for viewing faxes; they stay from one fax to the next. */
export interface ViewOptions {
  readonly zoom: Zoom;
  readonly withThumbs: boolean;
  /** True when the details are open; null until the person chooses, which opens them where there is room. */
  readonly drawer: boolean | null;
}

export interface ViewProps {
  readonly view: ViewOptions;
  readonly onView: (view: ViewOptions) => void;
}
