import type { ReactNode } from 'react';
import styles from './list-panes.module.css';

/** A list and, beside it, what is open; in a small window one at a time. */
export function ListPanes(props: {
  list: ReactNode;
  /** Between the list and the details, where a page can be read. */
  pages?: ReactNode;
  details?: ReactNode;
  /** Beside the names of parts, which take room too. */
  isBesideNames?: boolean;
}) {
  const { list, pages, details, isBesideNames } = props;
  const isOpen = details !== undefined && details !== null && details !== false;
  return (
    <div
      className={styles['panes']}
      data-open={isOpen || undefined}
      data-pages={Boolean(pages) || undefined}
      data-beside-names={isBesideNames || undefined}
    >
      <div className={styles['list']}>{list}</div>
      {pages && <div className={styles['pages']}>{pages}</div>}
      {isOpen && <div className={styles['details']}>{details}</div>}
    </div>
  );
}
