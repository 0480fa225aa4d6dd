import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './state-word.module.css';

export type Tone = 'plain' | 'ok' | 'warn' | 'danger' | 'go';

/** A state is always an icon and a word; color only repeats it. `body` is the size of running text. */
export function StateWord(props: {
  tone: Tone;
  icon: IconName;
  size?: 'caption' | 'body';
  children: ReactNode;
}) {
  const { tone, icon, size = 'caption', children } = props;
  return (
    <span className={styles['state']} data-tone={tone} data-size={size}>
      <Icon name={icon} size={size === 'body' ? 16 : 14} />
      <span className={styles['word']}>{children}</span>
    </span>
  );
}
