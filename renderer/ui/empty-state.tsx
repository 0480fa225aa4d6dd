import type { ReactNode } from 'react';
import styles from './empty-state.module.css';
import { BEGIN } from './focus/places.ts';
import { Icon, type IconName } from './icon.tsx';

/** Shown where there is no content yet: why, and what to do. */
export function EmptyState(props: {
  icon: IconName;
  title: string;
  /** 1 where it stands for a whole screen. */
  level?: 1 | 2;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const Heading = props.level === 1 ? 'h1' : 'h2';
  return (
    <div className={styles['empty']} {...BEGIN}>
      <Icon name={props.icon} size={32} />
      <Heading className={styles['title']}>{props.title}</Heading>
      {props.children && <p className={styles['text']}>{props.children}</p>}
      {props.action}
    </div>
  );
}
