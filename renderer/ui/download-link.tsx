import type { ReactNode } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

/** Looks like a button and lets the browser save a file of the gateway, without holding it in memory. `fileName` is for addresses that have none. */
export function DownloadLink(props: {
  href: string;
  label?: string;
  fileName?: string;
  children: ReactNode;
}) {
  return (
    <a
      className={styles['button']}
      href={props.href}
      download={props.fileName ?? true}
      {...(props.label ? { 'aria-label': props.label } : {})}
    >
      <Icon name="download" size={16} />
      {props.children}
    </a>
  );
}

/** The same as a sign only: saves the file, or with `isTab` shows it in a tab of its own. */
export function FileLink(props: { href: string; icon: IconName; label: string; isTab?: boolean }) {
  const how = props.isTab ? { target: '_blank', rel: 'noopener' } : { download: true };
  return (
    <a
      className={styles['button']}
      data-variant="icon"
      href={props.href}
      title={props.label}
      aria-label={props.label}
      {...how}
    >
      <Icon name={props.icon} />
    </a>
  );
}
