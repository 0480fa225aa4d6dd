import { Label } from 'react-aria-components/Label';
import { Radio, RadioGroup } from 'react-aria-components/RadioGroup';
import type { Option } from './choice.tsx';
import styles from './radio-cards.module.css';

/** One of a few, all of them shown with a line about each. */
export function RadioCards<T extends string>(props: {
  label: string;
  options: readonly Option<T>[];
  value: T | null;
  onChange: (value: T) => void;
}) {
  return (
    <RadioGroup
      className={styles['group']}
      value={props.value}
      onChange={(value) => props.onChange(value as T)}
    >
      <Label className="visually-hidden">{props.label}</Label>
      {props.options.map((option) => (
        <Radio key={option.id} value={option.id} className={styles['card']}>
          <span className={styles['mark']} />
          <span className={styles['text']}>
            <span className={styles['name']}>{option.label}</span>
            {option.help && <span className={styles['help']}>{option.help}</span>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}
