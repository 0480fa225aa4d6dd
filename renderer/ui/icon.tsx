import styles from './icon.module.css';
import { ICON_SHAPES, type IconName } from './icon-shapes.tsx';

export type { IconName } from './icon-shapes.tsx';

/** A picture beside a word, so readers skip it. `size` in px: 20 in bars and lists, 16 and 14 beside small text. */
export function Icon({ name, size = 20 }: { name: IconName; size?: 12 | 14 | 16 | 20 | 32 }) {
  return (
    <svg className={styles['icon']} data-size={size} viewBox="0 0 20 20" aria-hidden="true">
      {ICON_SHAPES[name]}
    </svg>
  );
}
