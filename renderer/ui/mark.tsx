import type { ReactNode } from 'react';
import styles from './mark.module.css';

/** A word that sets a thing apart from the others of a list, such as *Test*. */
export function Mark({ children }: { children: ReactNode }) {
  return <span className={styles['mark']}>{children}</span>;
}
