import type { ReactNode } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { Button } from '../../ui/button.tsx';
import { ListSearch } from '../../ui/list-search.tsx';
import styles from './filter-bar.module.css';

/** Bar with the filters above a list: a search, chips and fields, and a button that clears them. */
export function FilterBar(props: {
  label: string;
  search?: {
    /** Heading of its key in the list of shortcuts. */
    screen: string;
    label: string;
    hint: string;
    value: string;
    /** See `ListSearch`. */
    findNote?: string;
    onChange: (text: string) => void;
  };
  children: ReactNode;
  /** Offered while something is filtered. */
  clear?: { label: string; isOffered: boolean; onPress: () => void };
}) {
  const { label, search, children, clear } = props;
  return (
    <div className={styles['filters']} role="group" aria-label={label}>
      {search && (
        <div className={styles['search']}>
          <ListSearch {...search} maxLength={LIMITS.searchLength} />
        </div>
      )}
      {children}
      {clear?.isOffered && (
        <Button variant="link" onPress={clear.onPress}>
          {clear.label}
        </Button>
      )}
    </div>
  );
}

/** Field among the filters, which are no wider than their contents. */
export function FilterField({ children }: { children: ReactNode }) {
  return <div className={styles['field']}>{children}</div>;
}
