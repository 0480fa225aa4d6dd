import type { ReactNode } from 'react';
import styles from './part-panes.module.css';

/** A list and, beside it, what is open; in a small window one at a time. */
export function PartPanes({ list, details }: { list: ReactNode; details?: ReactNode }) {
  const isOpen = details !== undefined && details !== null && details !== false;
  return (
    <div className={styles['panes']} data-open={isOpen || undefined}>
      <div className={styles['list']}>{list}</div>
      {isOpen && <div className={styles['details']}>{details}</div>}
    </div>
  );
}
