import { type KeyboardEvent, type ReactNode, type Ref, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { Button } from './button.tsx';
import styles from './field.module.css';
import { Icon, type IconName } from './icon.tsx';
import { words } from './words.ts';

export interface TextFieldProps extends Omit<AriaTextFieldProps, 'children' | 'className' | 'style'> {
  readonly label: string;
  readonly isLabelHidden?: boolean;
  readonly help?: ReactNode;
  /** One sentence; the field is then marked as wrong. */
  readonly error?: string | null | undefined;
  readonly icon?: IconName;
  /** A unit or a button at the end. */
  readonly after?: ReactNode;
  readonly placeholder?: string;
  readonly isMono?: boolean;
  /** As high as the buttons of a bar. */
  readonly isSmall?: boolean;
  readonly inputRef?: Ref<HTMLInputElement>;
}

/** A line of text with its label above and its help or error below. */
export function TextField(props: TextFieldProps) {
  const { label, isLabelHidden, help, error, icon, after, placeholder, isMono, isSmall, inputRef, ...rest } =
    props;
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className={styles['field']}>
      <Label className={isLabelHidden ? 'visually-hidden' : styles['label']}>{label}</Label>
      <div className={styles['box']} data-small={isSmall || undefined}>
        {icon && <Icon name={icon} size={isSmall ? 16 : 20} />}
        <Input
          {...(inputRef ? { ref: inputRef } : {})}
          {...(placeholder ? { placeholder } : {})}
          className={styles['input']}
          data-mono={isMono || undefined}
        />
        {after}
      </div>
      <FieldNote help={help} error={error} />
    </AriaTextField>
  );
}

/**
 * Field for a password or another secret, hidden until a button shows it. Tab goes from one secret to the next, past that
 * button, which Shift and Tab reach.
 */
export function SecretField(props: Omit<TextFieldProps, 'type' | 'after'>) {
  const [shown, setShown] = useState(false);
  const toggle = (
    <Button
      variant="link"
      onPress={() => setShown(!shown)}
      aria-label={shown ? words.hideSecret : words.showSecret}
    >
      {shown ? words.hide : words.show}
    </Button>
  );
  // A value that nobody can type needs no *Show*.
  const after = props.isDisabled === true ? {} : { after: toggle };
  return (
    <div className={styles['secret']} data-secret onKeyDownCapture={goToNextSecret}>
      <TextField {...props} type={shown ? 'text' : 'password'} {...after} />
    </div>
  );
}

/** Moves the focus to the secret field that comes next, if nothing but the button *Show* is between. */
function goToNextSecret(event: KeyboardEvent<HTMLDivElement>): void {
  const isForward = event.key === 'Tab' && !event.shiftKey && !event.altKey && !event.ctrlKey;
  if (!isForward || !(event.target instanceof HTMLInputElement)) return;
  const own = event.currentTarget;
  const places = [
    ...(own.closest('form, [role="dialog"], main')?.querySelectorAll<HTMLElement>(TABBABLE) ?? []),
  ];
  const next = places.filter((it) => it.tabIndex >= 0 && it.checkVisibility());
  const after = next[next.findLastIndex((it) => own.contains(it)) + 1];
  if (!(after instanceof HTMLInputElement) || !after.closest('[data-secret]')) return;
  event.preventDefault();
  after.focus();
  after.select();
}

const TABBABLE = 'a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, [tabindex]';

export function FieldNote({ help, error }: { help?: ReactNode; error?: string | null | undefined }) {
  if (error)
    return (
      <Text slot="errorMessage" className={styles['error']}>
        <Icon name="alert" size={14} />
        {error}
      </Text>
    );
  if (!help) return null;
  return (
    <Text slot="description" className={styles['help']}>
      {help}
    </Text>
  );
}
