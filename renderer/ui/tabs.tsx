import type { ReactNode } from 'react';
import { ToggleButton } from 'react-aria-components/ToggleButton';
import styles from './tabs.module.css';

/** The parts of one list, of which one is shown. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles['tabs']} role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** One of them; a count in it stands in `<b>`. */
export function Tab(props: { isOn: boolean; isWarning?: boolean; onPress: () => void; children: ReactNode }) {
  const { isOn, isWarning = false, onPress, children } = props;
  return (
    <ToggleButton
      className={styles['tab']}
      isSelected={isOn}
      data-warning={isWarning || undefined}
      onChange={onPress}
    >
      {children}
    </ToggleButton>
  );
}
