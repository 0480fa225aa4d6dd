import type { ReactNode } from 'react';
import { Button } from 'react-aria-components/Button';
import { Disclosure, DisclosurePanel } from 'react-aria-components/Disclosure';
import { Heading } from 'react-aria-components/Heading';
import styles from './fold.module.css';
import { Icon } from './icon.tsx';

/** Part that is closed until it is opened; its title shows the choices in it, if there are any. */
export function Fold(props: {
  title: string;
  summary?: string;
  level?: 2 | 3;
  /** With `onOpen`, the parent decides whether it is open. */
  isOpen?: boolean;
  onOpen?: (isOpen: boolean) => void;
  children: ReactNode;
}) {
  const { title, summary, level = 3, isOpen, onOpen, children } = props;
  const opening = isOpen === undefined || !onOpen ? {} : { isExpanded: isOpen, onExpandedChange: onOpen };
  return (
    <Disclosure className={styles['fold']} {...opening}>
      <Heading level={level}>
        <Button slot="trigger" className={styles['trigger']}>
          <Icon name="right" size={16} />
          <span className={styles['title']}>{title}</span>
          {summary !== undefined && (
            <span className={styles['summary']} title={summary}>
              {summary}
            </span>
          )}
        </Button>
      </Heading>
      <DisclosurePanel className={styles['panel']}>{children}</DisclosurePanel>
    </Disclosure>
  );
}
