import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import styles from './checkbox.module.css';

export function Checkbox({
  children,
  ...rest
}: Omit<CheckboxProps, 'children' | 'className' | 'style'> & { children: ReactNode }) {
  return (
    <AriaCheckbox {...rest} className={styles['checkbox']}>
      <span className={styles['mark']} />
      <span>{children}</span>
    </AriaCheckbox>
  );
}
