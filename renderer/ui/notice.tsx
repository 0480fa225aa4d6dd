import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';
import type { Tone } from './state-word.tsx';

const ICONS: Record<Tone, IconName> = { plain: 'info', ok: 'ok', warn: 'warn', danger: 'alert', go: 'going' };

/** Notice in place, beside its subject. `isLive` reads it out when it appears. */
export function Notice(props: {
  tone: Tone;
  icon?: IconName;
  title?: ReactNode;
  action?: ReactNode;
  isLive?: boolean;
  children?: ReactNode;
}) {
  const { tone, icon = ICONS[tone], title, action, isLive, children } = props;
  const role = isLive ? (tone === 'danger' ? 'alert' : 'status') : undefined;
  return (
    <div className={styles['notice']} data-tone={tone} role={role}>
      <Icon name={icon} />
      <div className={styles['text']}>
        {title && <p className={styles['title']}>{title}</p>}
        {children && <div className={styles['body']}>{children}</div>}
      </div>
      {action && <div className={styles['action']}>{action}</div>}
    </div>
  );
}
