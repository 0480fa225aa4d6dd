import { useEffect, useRef } from 'react';
import type { CoverField } from '../../../shared/covers.ts';
import { t } from '../../texts/covers.ts';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import styles from './covers.module.css';

const words = t.covers.form;

/** The fields that a page shows, in their order. */
export function FieldsChoice(props: {
  order: readonly CoverField[];
  shown: readonly CoverField[];
  onChange: (change: { order?: readonly CoverField[]; shown?: readonly CoverField[] }) => void;
}) {
  const { order, shown, onChange } = props;
  const list = useRef<HTMLUListElement>(null);
  const moved = useRef<{ field: CoverField; by: 1 | -1 } | null>(null);
  // The row that moved may have lost the focus; at an end the other button has it.
  useEffect(() => {
    if (moved.current === null) return;
    const { field, by } = moved.current;
    moved.current = null;
    const row = list.current?.querySelector(`[data-field="${field}"]`);
    const [up, down] = row?.querySelectorAll<HTMLButtonElement>('button') ?? [];
    const [wanted, other] = by === -1 ? [up, down] : [down, up];
    (wanted?.disabled ? other : wanted)?.focus();
  }, [order]);
  const move = (field: CoverField, by: 1 | -1) => {
    const from = order.indexOf(field);
    const others = order.filter((one) => one !== field);
    moved.current = { field, by };
    onChange({ order: others.toSpliced(from + by, 0, field) });
  };
  return (
    <div role="group" aria-label={words.fields}>
      <p className={styles['label']}>{words.fields}</p>
      <p className={styles['quiet']}>{words.fieldsHelp}</p>
      <ul ref={list} className={styles['fields']}>
        {order.map((field, index) => (
          <li key={field} className={styles['field']} data-field={field}>
            <Checkbox
              isSelected={shown.includes(field)}
              onChange={(isOn) =>
                onChange({ shown: order.filter((one) => (one === field ? isOn : shown.includes(one))) })
              }
            >
              {t.covers.fields[field]}
            </Checkbox>
            <span className={styles['line']}>
              <IconButton
                isSmall
                icon="up"
                label={words.up(t.covers.fields[field])}
                isDisabled={index === 0}
                onPress={() => move(field, -1)}
              />
              <IconButton
                isSmall
                icon="lower"
                label={words.down(t.covers.fields[field])}
                isDisabled={index === order.length - 1}
                onPress={() => move(field, 1)}
              />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}
