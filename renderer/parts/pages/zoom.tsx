import { t } from '../../texts/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatShare } from '../../ui/format.ts';
import type { Reader } from './reader.ts';
import styles from './zoom.module.css';

/** Size of the page: whole, as wide as the viewer, or a part of the size of its paper. */
export type Zoom = 'page' | 'width' | number;

export const MIN_ZOOM = 0.25;
export const MAX_ZOOM = 4;
const STEPS = [MIN_ZOOM, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, MAX_ZOOM] as const;
/** Steps closer than this to the present size are no step. */
const SAME = 0.01;
const FITS: readonly Zoom[] = ['width', 'page', 1];

/** Returns the next size up or down from the scale at which a page is shown. */
export function stepFrom(scale: number, direction: 1 | -1): number {
  const next =
    direction === 1
      ? STEPS.find((step) => step > scale + SAME)
      : STEPS.findLast((step) => step < scale - SAME);
  return next ?? (direction === 1 ? MAX_ZOOM : MIN_ZOOM);
}

/** Cycles through full width, whole page and the size of the paper. */
export const nextFit = (zoom: Zoom): Zoom => FITS[(FITS.indexOf(zoom) + 1) % FITS.length] ?? 'width';

/** Smaller, larger, whole page, full width. */
export function ZoomButtons(props: { zoom: Zoom; onZoom: (zoom: Zoom) => void; reader: Reader }) {
  const { zoom, onZoom, reader } = props;
  const words = t.ui.pages;
  const step = (direction: 1 | -1) => onZoom(stepFrom(reader.scale.current, direction));
  return (
    <div className={styles['buttons']} role="group" aria-label={words.zoom}>
      <ZoomSteps isSmallest={zoom === MIN_ZOOM} isLargest={zoom === MAX_ZOOM} onStep={step} />
      <IconButton icon="fit-page" label={words.whole} isOn={zoom === 'page'} onPress={() => onZoom('page')} />
      <IconButton
        icon="fit-width"
        label={words.wide}
        isOn={zoom === 'width'}
        onPress={() => onZoom('width')}
      />
      {typeof zoom === 'number' && <span className={styles['percent']}>{formatShare(zoom)}</span>}
    </div>
  );
}

/** Buttons that make a page one step smaller or larger. */
export function ZoomSteps(props: {
  isSmallest: boolean;
  isLargest: boolean;
  onStep: (direction: 1 | -1) => void;
}) {
  const { isSmallest, isLargest, onStep } = props;
  const words = t.ui.pages;
  return (
    <>
      <IconButton icon="zoom-out" label={words.smaller} isDisabled={isSmallest} onPress={() => onStep(-1)} />
      <IconButton icon="zoom-in" label={words.larger} isDisabled={isLargest} onPress={() => onStep(1)} />
    </>
  );
}
