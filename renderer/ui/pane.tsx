import type { CSSProperties, ReactNode, Ref } from 'react';
import styles from './pane.module.css';

/** One of the areas a screen is divided into by single lines. `width` is a length of the tokens; without it the pane grows. */
export function Pane(props: {
  as?: 'section' | 'aside';
  label: string;
  width?: string;
  children: ReactNode;
}) {
  const { as: Tag = 'section', label, width, children } = props;
  return (
    <Tag
      className={styles['pane']}
      aria-label={label}
      data-set={width !== undefined || undefined}
      style={{ '--pane-width': width } as CSSProperties}
    >
      {children}
    </Tag>
  );
}

/** Title, a quiet count beside it, and actions at the end. `level` 1 once per screen. */
export function PaneHead(props: {
  title: ReactNode;
  level?: 1 | 2;
  count?: ReactNode;
  /** Above a form, which stands further in than a list. */
  isForm?: boolean;
  /** Actions go to a second line rather than cut the title. */
  wraps?: boolean;
  children?: ReactNode;
}) {
  const { title, level = 2, count, isForm = false, wraps = false, children } = props;
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <header className={styles['head']} data-form={isForm || undefined} data-wraps={wraps || undefined}>
      <Heading className={styles['title']}>{title}</Heading>
      {count !== undefined && <span className={styles['count']}>{count}</span>}
      <span className={styles['gap']} />
      {children}
    </header>
  );
}

/** The part that scrolls. With a `label` it can be scrolled by keyboard also while nothing in it takes the focus. */
export function PaneBody(props: {
  children: ReactNode;
  isPadded?: boolean;
  label?: string;
  ref?: Ref<HTMLDivElement>;
}) {
  const { children, isPadded = false, label, ref } = props;
  const reading = label === undefined ? {} : { role: 'group', 'aria-label': label, tabIndex: 0 };
  return (
    <div {...reading} {...(ref && { ref })} className={styles['body']} data-padded={isPadded || undefined}>
      {children}
    </div>
  );
}

/** The line of keys or actions at the lower end of a pane. */
export function PaneFoot({
  children,
  isForm = false,
  wraps = false,
}: {
  children: ReactNode;
  isForm?: boolean;
  wraps?: boolean;
}) {
  return (
    <footer className={styles['foot']} data-form={isForm || undefined} data-wraps={wraps || undefined}>
      {children}
    </footer>
  );
}
