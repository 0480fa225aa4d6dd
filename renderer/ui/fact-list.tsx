import type { ReactNode } from 'react';
import styles from './fact-list.module.css';

/** Pairs of a word and what it is; `wordWidth` in pixels is that of the longest word. */
export function FactList({ wordWidth, children }: { wordWidth: number; children: ReactNode }) {
  return (
    <dl className={styles['facts']} style={{ gridTemplateColumns: `${wordWidth}px minmax(0, 1fr)` }}>
      {children}
    </dl>
  );
}

/** One of them; an id or a fingerprint stands in letters of one width. */
export function Fact({ name, isMono, children }: { name: string; isMono?: boolean; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={isMono ? styles['mono'] : undefined}>{children}</dd>
    </>
  );
}
