import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps } from 'react-aria-components/Checkbox';
import styles from './checkbox.module.css';

/** Checkbox with a text beside it, or with `aria-label` where its surroundings make it clear to the eye. */
export function Checkbox({
  children,
  ...rest
}: Omit<CheckboxProps, 'children' | 'className' | 'style'> & { children?: ReactNode }) {
  return (
    <AriaCheckbox {...rest} className={styles['checkbox']}>
      <span className={styles['mark']} />
      {children !== undefined && <span>{children}</span>}
    </AriaCheckbox>
  );
}
