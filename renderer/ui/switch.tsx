import type { ReactNode } from 'react';
import { Switch as AriaSwitch, type SwitchProps } from 'react-aria-components/Switch';
import styles from './switch.module.css';

/** On or off at once; its label stands beside it. Without children give `aria-label` or `aria-labelledby`. */
export function Switch({
  children,
  ...rest
}: Omit<SwitchProps, 'children' | 'className' | 'style'> & { children?: ReactNode }) {
  return (
    <AriaSwitch {...rest} className={styles['switch']}>
      <span className={styles['track']} />
      {children}
    </AriaSwitch>
  );
}
