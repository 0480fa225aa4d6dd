import { ComboBox } from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import { Popover } from 'react-aria-components/Popover';
import { Text } from 'react-aria-components/Text';
import { IconButton } from './button.tsx';
import styles from './suggest-field.module.css';
import { words } from './words.ts';

/** A line of text with texts to choose from; others can be typed too. */
export function SuggestField(props: {
  label: string;
  help?: string;
  value: string;
  suggestions: readonly string[];
  maxLength: number;
  onChange: (value: string) => void;
}) {
  const { label, help, value, suggestions, maxLength, onChange } = props;
  return (
    <ComboBox
      className={styles['field'] ?? ''}
      allowsCustomValue
      menuTrigger="input"
      inputValue={value}
      onInputChange={onChange}
      defaultItems={suggestions.map((id) => ({ id }))}
    >
      <Label className={styles['label'] ?? ''}>{label}</Label>
      <Group className={styles['box'] ?? ''} data-button>
        <Input className={styles['input'] ?? ''} maxLength={maxLength} autoComplete="off" />
        {suggestions.length > 0 && <IconButton isSmall icon="down" label={words.suggestions} />}
      </Group>
      {help !== undefined && (
        <Text slot="description" className={styles['help'] ?? ''}>
          {help}
        </Text>
      )}
      <Popover className={styles['popover'] ?? ''}>
        <ListBox className={styles['list'] ?? ''} aria-label={label}>
          {({ id }: { id: string }) => (
            <ListBoxItem id={id} textValue={id} className={styles['option'] ?? ''}>
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
