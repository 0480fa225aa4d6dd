import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { BEGIN } from './focus/places.ts';
import styles from './subnav.module.css';

interface SubnavEntry {
  readonly page: string;
  readonly label: string;
  /** A quiet word at the end, as in "3 changed". */
  readonly aside?: string | undefined;
}

/** Parameters that name the page in the address of its screen. */
const PARAMS = {
  '/costs/{-$costsPage}': (costsPage: string) => ({ costsPage }),
  '/settings/{-$settingsPage}': (settingsPage: string) => ({ settingsPage }),
  '/system/{-$systemPage}': (systemPage: string) => ({ systemPage }),
  '/access/{-$part}/{-$id}': (part: string) => ({ part, id: undefined }),
};

/** The pages of one screen, beside the rail. */
export function Subnav(props: {
  to: keyof typeof PARAMS;
  title: string;
  label: string;
  entries: readonly SubnavEntry[];
  current: string;
  children?: ReactNode;
}) {
  // Beside a list that begins, and where the address names something of the page that does.
  const begins = useLocation({ select: ({ hash }) => hash === '' }) && !props.to.startsWith('/access');
  const { to, title, label, entries, current, children } = props;
  return (
    <nav className={styles['subnav']} aria-label={label} data-keeps-focus>
      <h1 className={styles['title']}>{title}</h1>
      <ul className={styles['list']}>
        {entries.map(({ page, label: name, aside }) => (
          <li key={page}>
            <Link
              to={to}
              params={PARAMS[to](page)}
              className={styles['link']}
              {...(page === current ? { 'aria-current': 'page' as const } : {})}
              {...(begins && page === current ? BEGIN : {})}
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
