import { type ComponentProps, useId } from 'react';
import styles from './button.module.css';
import { Button } from './button.tsx';

/** Button of a form or dialog with the reason beside it while it is off; null when it can be pressed. */
export function MainButton({
  reason,
  variant = 'primary',
  ...rest
}: Omit<ComponentProps<typeof Button>, 'isDisabled' | 'aria-describedby'> & {
  readonly reason: string | null;
}) {
  const id = useId();
  if (reason === null) return <Button {...rest} variant={variant} />;
  return (
    <>
      <Button {...rest} variant={variant} isDisabled aria-describedby={id} />
      <span className={styles['reason']} id={id}>
        {reason}
      </span>
    </>
  );
}
