import { t } from '../../../texts/index.ts';
import { IconButton } from '../../../ui/button.tsx';
import { formatShare } from '../../../ui/format.ts';
import styles from './page-editor.module.css';

/** Widths of the page in the editor, in parts of the width of its place. */
const STEPS = [1, 1.5, 2, 3, 4] as const;
export type EditorZoom = (typeof STEPS)[number];

/** Makes the page on which a person draws larger and smaller. */
export function EditorZoomButtons(props: { zoom: EditorZoom; onZoom: (zoom: EditorZoom) => void }) {
  const words = t.ui.pages;
  const at = STEPS.indexOf(props.zoom);
  const [smaller, larger] = [STEPS[at - 1], STEPS[at + 1]];
  return (
    <div className={styles['zoom']} role="group" aria-label={words.zoom}>
      <IconButton
        icon="zoom-out"
        label={words.smaller}
        isDisabled={smaller === undefined}
        onPress={() => smaller && props.onZoom(smaller)}
      />
      <IconButton
        icon="zoom-in"
        label={words.larger}
        isDisabled={larger === undefined}
        onPress={() => larger && props.onZoom(larger)}
      />
      <span aria-live="polite">{formatShare(props.zoom)}</span>
    </div>
  );
}
