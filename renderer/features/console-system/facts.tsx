import type { ReactNode } from 'react';
import styles from './system.module.css';

/** List of labels and values under one heading; shows `none` when it is empty. */
export function Facts({
  title,
  none,
  children,
}: {
  title: string;
  none?: string | null;
  children: ReactNode;
}) {
  return (
    <section className={styles['part']} aria-label={title}>
      <h3 className={styles['heading']}>{title}</h3>
      {none ? <p className={styles['quiet']}>{none}</p> : <dl className={styles['facts']}>{children}</dl>}
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
