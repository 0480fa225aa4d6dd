import type { ReactNode } from 'react';
import styles from './system.module.css';

/** List of labels and values under one heading; shows `none` when it is empty. `isNested`: of a section with a heading of its own. */
export function Facts({
  title,
  none,
  isNested = false,
  children,
}: {
  title: string;
  none?: string | null;
  isNested?: boolean;
  children: ReactNode;
}) {
  const Heading = isNested ? 'h4' : 'h3';
  return (
    <section className={styles['part']} data-nested={isNested || undefined} aria-label={title}>
      <Heading className={styles['heading']}>{title}</Heading>
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
