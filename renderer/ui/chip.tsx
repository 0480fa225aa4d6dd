import { type ReactNode, useRef } from 'react';
import { Button } from 'react-aria-components/Button';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import styles from './chip.module.css';
import { formatUpTo } from './format.ts';
import { Icon, type IconName } from './icon.tsx';

const MIN_DIGITS = 2;

/** A filter that is on or off. A count stands before the word: "2 under way". */
export function Chip(props: {
  isOn: boolean;
  onChange: (isOn: boolean) => void;
  icon?: IconName;
  count?: number | undefined;
  /** Count from which there may be more. */
  most?: number;
  children: ReactNode;
}) {
  return (
    <ToggleButton isSelected={props.isOn} onChange={props.onChange} className={styles['chip']}>
      {props.icon && <Icon name={props.icon} size={14} />}
      {'count' in props && <Count count={props.count} most={props.most} />}
      {props.children}
    </ToggleButton>
  );
}

/** As wide as the longest count so far, so that what stands beside it stays where it is. */
function Count({
  count,
  most = Number.POSITIVE_INFINITY,
}: {
  count: number | undefined;
  most?: number | undefined;
}) {
  const text = count === undefined ? '' : formatUpTo(count, most);
  const widest = useRef(MIN_DIGITS);
  widest.current = Math.max(widest.current, text.length);
  return <b style={{ minInlineSize: `${widest.current}ch` }}>{text}</b>;
}

/** A filter that opens what can be chosen; `isOn` while something is. Stands in a Menu or a dialog trigger. */
export function MenuChip({ isOn, icon, children }: { isOn: boolean; icon?: IconName; children: ReactNode }) {
  return (
    <Button className={styles['chip']} data-on={isOn || undefined}>
      {isOn && icon && <Icon name={icon} size={14} />}
      <span className={styles['word']}>{children}</span>
      <Icon name="down" size={14} />
    </Button>
  );
}

/** Chips in a line that wraps. */
export function Chips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['chips']} role="group" aria-label={label}>
      {children}
    </div>
  );
}
