import { Icon } from '../ui/icon.tsx';
import styles from './history-sign.module.css';
import type { HistorySign as Sign } from './history-signs.ts';

/** What kind of entry it is, at a glance down a history; the words beside it say the same. */
export function HistorySign({ sign: { icon, tone } }: { sign: Sign }) {
  return (
    <span className={styles['sign']} data-tone={tone}>
      <Icon name={icon} size={14} />
    </span>
  );
}
