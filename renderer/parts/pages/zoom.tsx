import { t } from '../../texts/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { formatShare } from '../../ui/format.ts';
import type { Reader } from './reader.ts';
import styles from './zoom.module.css';

/** Zoom of a page: the whole page, the width of the viewer, or a factor of the paper size (1 is the actual size). */
export type Zoom = 'page' | 'width' | number;

export const MIN_ZOOM = 0.25;
export const MAX_ZOOM = 4;
const STEPS = [MIN_ZOOM, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, MAX_ZOOM] as const;
/** Minimum difference between the current scale and the next step. */
const MIN_DIFFERENCE = 0.01;
const FITS: readonly Zoom[] = ['width', 'page', 1];

/** Returns the next size up or down from the scale at which a page is shown. */
export function stepFrom(scale: number, direction: 1 | -1): number {
  const next =
    direction === 1
      ? STEPS.find((step) => step > scale + MIN_DIFFERENCE)
      : STEPS.findLast((step) => step < scale - MIN_DIFFERENCE);
  return next ?? (direction === 1 ? MAX_ZOOM : MIN_ZOOM);
}

/** Returns the next zoom of full width, whole page and paper size, in turn. */
export const nextFit = (zoom: Zoom): Zoom => FITS[(FITS.indexOf(zoom) + 1) % FITS.length] ?? 'width';

/** Buttons for smaller, larger, whole page and full width, with the percentage where the zoom is a factor. */
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
