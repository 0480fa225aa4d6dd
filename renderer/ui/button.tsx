import { memo, type ReactNode, type Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';
import { Keys } from './keys.tsx';
import { useStableHandlers } from './stable-handlers.ts';

interface ButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly variant?: 'default' | 'primary' | 'plain' | 'link';
  readonly size?: 'normal' | 'big';
  readonly icon?: IconName;
  /** The shortcut that does the same, shown on the button. */
  readonly keys?: string;
  readonly ref?: Ref<HTMLButtonElement>;
  readonly children: ReactNode;
}

export function Button(props: ButtonProps) {
  return <DrawnButton {...useStableHandlers(props)} />;
}

const DrawnButton = memo(function DrawnButton({
  variant = 'default',
  size = 'normal',
  icon,
  keys,
  children,
  ...rest
}: ButtonProps) {
  return (
    <AriaButton {...rest} className={styles['button']} data-variant={variant} data-size={size}>
      {icon && <Icon name={icon} size={size === 'big' ? 20 : 16} />}
      {children}
      {keys && <Keys of={keys} />}
    </AriaButton>
  );
});

interface IconButtonProps extends Omit<AriaButtonProps, 'children' | 'className' | 'style'> {
  readonly icon: IconName;
  /** Action of the button, for screen readers and as a title. */
  readonly label: string;
  readonly isSmall?: boolean;
  /** For a button that is on or off. */
  readonly isOn?: boolean;
  readonly ref?: Ref<HTMLButtonElement>;
}

export function IconButton(props: IconButtonProps) {
  return <DrawnIconButton {...useStableHandlers(props)} />;
}

const DrawnIconButton = memo(function DrawnIconButton({
  icon,
  label,
  isSmall,
  isOn,
  ...rest
}: IconButtonProps) {
  return (
    <span className={styles['titled']} title={label}>
      <AriaButton
        {...rest}
        aria-label={label}
        {...(isOn === undefined ? {} : { 'aria-pressed': isOn })}
        className={styles['button']}
        data-variant="icon"
        data-size={isSmall ? 'small' : 'normal'}
        data-on={isOn || undefined}
      >
        <Icon name={icon} size={isSmall ? 16 : 20} />
      </AriaButton>
    </span>
  );
});
