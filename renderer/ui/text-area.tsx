import { Label } from 'react-aria-components/Label';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import styles from './field.module.css';
import { FieldNote, type TextFieldProps } from './field.tsx';

/** Several lines of text. */
export function TextArea(
  props: Omit<TextFieldProps, 'icon' | 'after' | 'isMono' | 'inputRef'> & { rows?: number },
) {
  const { label, isLabelHidden, help, error, placeholder, rows = 3, ...rest } = props;
  return (
    <AriaTextField {...rest} isInvalid={Boolean(error)} className={styles['field']}>
      <Label className={isLabelHidden ? 'visually-hidden' : styles['label']}>{label}</Label>
      <AriaTextArea className={styles['area']} rows={rows} {...(placeholder ? { placeholder } : {})} />
      <FieldNote help={help} error={error} />
    </AriaTextField>
  );
}
