import { Button } from 'react-aria-components/Button';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Select, SelectValue } from 'react-aria-components/Select';
import styles from './choice.module.css';
import { FieldNote } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Option<T extends string> {
  readonly id: T;
  readonly label: string;
  readonly help?: string;
}

/** One of several, in a list that opens. */
export function Choice<T extends string>(props: {
  label: string;
  isLabelHidden?: boolean;
  help?: string;
  /** One sentence; the choice is then marked as wrong. */
  error?: string | null;
  options: readonly Option<T>[];
  value: T | null;
  placeholder?: string;
  isDisabled?: boolean;
  /** As high as a control of a list, beside which it is. */
  isSmall?: boolean;
  onChange: (value: T) => void;
}) {
  const {
    label,
    isLabelHidden,
    help,
    error,
    options,
    value,
    placeholder,
    isDisabled = false,
    isSmall,
    onChange,
  } = props;
  return (
    <Select
      className={styles['choice']}
      value={value}
      onChange={(key) => key !== null && onChange(key as T)}
      isDisabled={isDisabled}
      isInvalid={Boolean(error)}
      {...(placeholder === undefined ? {} : { placeholder })}
    >
      <Label className={isLabelHidden ? 'visually-hidden' : styles['label']}>{label}</Label>
      <Button className={styles['box']} data-small={isSmall || undefined}>
        <SelectValue className={styles['value']} />
        <Icon name="down" size={16} />
      </Button>
      <FieldNote help={help} error={error} />
      <Popover className={styles['popover']}>
        <ListBox className={styles['list']} items={options}>
          {(option) => (
            <ListBoxItem className={styles['option']} textValue={option.label}>
              <span>{option.label}</span>
              {option.help && <span className={styles['help']}>{option.help}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </Select>
  );
}
