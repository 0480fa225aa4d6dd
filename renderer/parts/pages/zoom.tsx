import { t } from '../../texts/index.ts';
import { IconButton } from '../../ui/button.tsx';
import styles from './zoom.module.css';

/** Size of the page: whole, as wide as the viewer, or a fraction of its width. */
export type Zoom = 'page' | 'width' | number;

const STEPS = [0.5, 0.75, 1, 1.5, 2, 3] as const;
/** A whole page takes about this part of the width. */
const WHOLE = 0.8;

function stepFrom(zoom: Zoom, direction: 1 | -1): Zoom {
  const now = zoom === 'page' ? WHOLE : zoom === 'width' ? 1 : zoom;
  const next = direction === 1 ? STEPS.find((step) => step > now) : STEPS.findLast((step) => step < now);
  return next ?? zoom;
}

/** Smaller, larger, whole page, full width. */
export function ZoomButtons({ zoom, onZoom }: { zoom: Zoom; onZoom: (zoom: Zoom) => void }) {
  const words = t.ui.pages;
  return (
    <div className={styles['buttons']} role="group" aria-label={words.zoom}>
      <IconButton
        icon="zoom-out"
        label={words.smaller}
        isDisabled={zoom === STEPS[0]}
        onPress={() => onZoom(stepFrom(zoom, -1))}
      />
      <IconButton
        icon="zoom-in"
        label={words.larger}
        isDisabled={zoom === STEPS.at(-1)}
        onPress={() => onZoom(stepFrom(zoom, 1))}
      />
      <IconButton icon="fit-page" label={words.whole} isOn={zoom === 'page'} onPress={() => onZoom('page')} />
      <IconButton
        icon="fit-width"
        label={words.wide}
        isOn={zoom === 'width'}
        onPress={() => onZoom('width')}
      />
    </div>
  );
}
