import { t } from '../../texts/index.ts';
import { formatShare } from '../../ui/format.ts';
import { ZoomSteps } from '../pages/zoom.tsx';
import styles from './page-editor.module.css';

/** Widths of the page in the editor, in parts of the width of its place. */
const STEPS = [1, 1.5, 2, 3, 4] as const;
export type EditorZoom = (typeof STEPS)[number];

/** Makes the page on which a person draws larger and smaller. */
export function EditorZoomButtons(props: { zoom: EditorZoom; onZoom: (zoom: EditorZoom) => void }) {
  const { zoom, onZoom } = props;
  const at = STEPS.indexOf(zoom);
  return (
    <div className={styles['zoom']} role="group" aria-label={t.ui.pages.zoom}>
      <ZoomSteps
        isSmallest={zoom === STEPS[0]}
        isLargest={zoom === STEPS.at(-1)}
        onStep={(direction) => onZoom(STEPS[at + direction] ?? zoom)}
      />
      <span aria-live="polite">{formatShare(zoom)}</span>
    </div>
  );
}
