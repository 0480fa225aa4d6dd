import type { ReactNode } from 'react';
import styles from './list-panes.module.css';
import type { ListSplit } from './list-split.tsx';

/** A list and, beside it, what is open; in a small window one at a time. */
export function ListPanes(props: {
  list: ReactNode;
  /** Between the list and the details, where a page can be read. */
  pages?: ReactNode;
  /** Divides list and pages where both are shown. */
  split?: ListSplit;
  details?: ReactNode;
  /** Beside the names of parts, which take room too. */
  isBesideNames?: boolean;
}) {
  const { list, pages, split, details, isBesideNames } = props;
  const isOpen = details !== undefined && details !== null && details !== false;
  return (
    <div
      ref={split?.ref}
      className={styles['panes']}
      style={split?.style}
      data-open={isOpen || undefined}
      data-pages={Boolean(pages) || undefined}
      data-beside-names={isBesideNames || undefined}
    >
      <div className={styles['list']}>{list}</div>
      {pages && split && <div className={styles['split']}>{split.splitter}</div>}
      {pages && <div className={styles['pages']}>{pages}</div>}
      {isOpen && <div className={styles['details']}>{details}</div>}
    </div>
  );
}
