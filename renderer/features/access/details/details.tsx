import type { ReactNode } from 'react';
import { t } from '../../../texts/access.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Pane, PaneBody } from '../../../ui/pane.tsx';
import styles from './details.module.css';

/** Panel beside a list for the open entry: its name, one line of facts, and all details below. */
export function Details(props: {
  /** Kind of the entry. */
  label: string;
  title: string;
  /** Small words below the title. */
  facts?: ReactNode;
  close?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const { label, title, facts, close = t.access.rows.close, onClose, children } = props;
  return (
    <Pane as="aside" label={label}>
      <header className={styles['head']}>
        <div className={styles['names']}>
          <h2 className={styles['title']}>{title}</h2>
          {facts !== undefined && <div className={styles['facts']}>{facts}</div>}
        </div>
        <IconButton icon="close" label={close} onPress={onClose} />
      </header>
      <PaneBody>{children}</PaneBody>
    </Pane>
  );
}

/** Buttons and questions right below the title. */
export function DetailsTop({ children }: { children: ReactNode }) {
  return <div className={styles['top']}>{children}</div>;
}

/** Buttons in a line that wraps. */
export function DetailsLine({ children }: { children: ReactNode }) {
  return <div className={styles['line']}>{children}</div>;
}

/** A part of the details under a heading of its own; `aside` stands at the end of that line. */
export function DetailsSection(props: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['section']} aria-label={props.title}>
      <header className={styles['section-head']}>
        <h3>{props.title}</h3>
        {props.aside}
      </header>
      {props.children}
    </section>
  );
}

/** Pairs of a word and what it is. */
export function DetailsFacts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles['pairs']}>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
