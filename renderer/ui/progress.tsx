import { ProgressBar } from 'react-aria-components/ProgressBar';
import styles from './progress.module.css';

/** Progress bar. `part` is 0 to 1, and moves only with actual progress. */
export function Progress({ label, part }: { label: string; part: number }) {
  return (
    <ProgressBar aria-label={label} value={part * 100} className={styles['track']}>
      <span className={styles['done']} style={{ transform: `scaleX(${Math.min(1, Math.max(0, part))})` }} />
    </ProgressBar>
  );
}
