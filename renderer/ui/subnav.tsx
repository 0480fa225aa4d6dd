import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import styles from './subnav.module.css';

export interface SubnavEntry {
  readonly page: string;
  readonly label: string;
  /** A quiet word at the end, as in "3 changed". */
  readonly aside?: string | undefined;
}

/** The pages of one screen, beside the rail. */
export function Subnav(props: {
  to: '/settings/{-$page}' | '/system/{-$page}' | '/access/{-$part}/{-$id}';
  title: string;
  label: string;
  entries: readonly SubnavEntry[];
  current: string;
  children?: ReactNode;
}) {
  const { to, title, label, entries, current, children } = props;
  return (
    <nav className={styles['subnav']} aria-label={label}>
      <h1 className={styles['title']}>{title}</h1>
      <ul className={styles['list']}>
        {entries.map(({ page, label: name, aside }) => (
          <li key={page}>
            <Link
              to={to}
              params={to.startsWith('/access') ? { part: page, id: undefined } : { page }}
              className={styles['link']}
              {...(page === current ? { 'aria-current': 'page' as const } : {})}
            >
              <span className={styles['name']} title={name}>
                {name}
              </span>
              {aside !== undefined && <span className={styles['aside']}>{aside}</span>}
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}
