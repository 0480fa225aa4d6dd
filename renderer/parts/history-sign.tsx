import { Icon } from '../ui/icon.tsx';
import styles from './history-sign.module.css';
import type { HistorySign as Sign } from './history-signs.ts';

/** Icon of the kind of an entry, to scan a history by; the words beside it mean the same. */
export function HistorySign({ sign: { icon, tone } }: { sign: Sign }) {
  return (
    <span className={styles['sign']} data-tone={tone}>
      <Icon name={icon} size={14} />
    </span>
  );
}
