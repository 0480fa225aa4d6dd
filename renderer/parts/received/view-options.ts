import { useKeptChoice } from '../kept-choice.ts';
import { MAX_ZOOM, MIN_ZOOM, type Zoom } from '../pages/zoom.tsx';

/** Options for viewing faxes; they stay from one fax to the next, and for the person in this browser. */
export interface ViewOptions {
  readonly zoom: Zoom;
  /** Null until the person chooses, which shows them where there is room. */
  readonly withThumbs: boolean | null;
  /** One page at a time. */
  readonly isSingle: boolean;
  /** True when the details are open; null until the person chooses, which opens them where there is room. */
  readonly drawer: boolean | null;
}

export interface ViewProps {
  readonly view: ViewOptions;
  readonly onView: (view: ViewOptions) => void;
}

const FIRST_VIEW: ViewOptions = { zoom: 'width', withThumbs: null, isSingle: false, drawer: null };

/** Whole pages, as they will be printed. */
const FIRST_PREVIEW: ViewOptions = { ...FIRST_VIEW, zoom: 'page', withThumbs: true };

/** Returns how the person views faxes on a screen, and a function that changes it. */
export function useViewOptions(
  screen: 'inbox' | 'work' | 'sent' | 'send',
): [ViewOptions, (view: ViewOptions) => void] {
  const first = screen === 'send' ? FIRST_PREVIEW : FIRST_VIEW;
  return useKeptChoice(`${screen}.view`, first, readView);
}

function readView(stored: unknown): ViewOptions | null {
  if (typeof stored !== 'object' || stored === null) return null;
  const { zoom, withThumbs, isSingle, drawer } = stored as Partial<Record<keyof ViewOptions, unknown>>;
  const choice = (it: unknown) => (typeof it === 'boolean' ? it : null);
  const isScale = typeof zoom === 'number' && zoom >= MIN_ZOOM && zoom <= MAX_ZOOM;
  return {
    zoom: zoom === 'page' || zoom === 'width' || isScale ? zoom : FIRST_VIEW.zoom,
    withThumbs: choice(withThumbs),
    isSingle: isSingle === true,
    drawer: choice(drawer),
  };
}
