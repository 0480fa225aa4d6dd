import type { ReactNode } from 'react';
import styles from './system.module.css';

/** Pairs of a word and what it is, under one heading. */
export function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3 className={styles['heading']}>{title}</h3>
      <dl className={styles['facts']}>{children}</dl>
    </section>
  );
}

export function Fact({ name, title, children }: { name: string; title?: string; children: ReactNode }) {
  return (
    <div className={styles['fact']}>
      <dt>{name}</dt>
      <dd title={title}>{children}</dd>
    </div>
  );
}
