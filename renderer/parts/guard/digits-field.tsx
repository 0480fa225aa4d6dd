import { useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Text } from 'react-aria-components/Text';
import { TextField } from 'react-aria-components/TextField';
import { t } from '../../texts/index.ts';
import { part } from '../../ui/focus/places.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './digits-field.module.css';

const COUNT = 4;

/** The last digits of a number, typed again into four boxes that are one field. */
export function DigitsField({ expected, onRight }: { expected: string; onRight: () => void }) {
  const [digits, setDigits] = useState('');
  const isWrong = digits.length === COUNT && digits !== expected;
  const change = (text: string) => {
    const typed = text.replaceAll(/\D/gu, '');
    // After four wrong ones the next digit begins anew.
    const next = typed.length > COUNT ? typed.slice(COUNT, 2 * COUNT) : typed;
    setDigits(next);
    if (next === expected) onRight();
  };
  return (
    <TextField
      {...part('digits')}
      className={styles['field']}
      aria-label={t.guard.lastFour}
      value={digits}
      onChange={change}
      isInvalid={isWrong}
      inputMode="numeric"
      autoComplete="off"
    >
      <span className={styles['boxes']}>
        {Array.from({ length: COUNT }, (_, index) => (
          <span
            key={index}
            className={styles['box']}
            data-now={index === Math.min(digits.length, COUNT - 1) || undefined}
            aria-hidden="true"
          >
            {digits[index]}
          </span>
        ))}
        <Input className={styles['input']} />
      </span>
      {isWrong && (
        <Text slot="errorMessage" className={styles['error']}>
          <Icon name="alert" size={14} />
          {t.guard.wrongDigits}
        </Text>
      )}
    </TextField>
  );
}
