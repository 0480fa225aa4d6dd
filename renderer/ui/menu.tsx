import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import { Icon, type IconName } from './icon.tsx';
import { Keys } from './keys.tsx';
import styles from './menu.module.css';

interface MenuEntry {
  readonly id: string;
  readonly label: string;
  readonly icon?: IconName;
  readonly keys?: string;
  readonly isDisabled?: boolean;
  readonly run: () => void;
}

/** A button (the child) with a list of actions. */
export function Menu({
  label,
  entries,
  children,
}: {
  label: string;
  entries: readonly MenuEntry[];
  children: ReactNode;
}) {
  const disabled = entries.filter((entry) => entry.isDisabled).map((entry) => entry.id);
  return (
    <MenuTrigger>
      {children}
      <Popover className={styles['popover']} placement="bottom end">
        <AriaMenu
          className={styles['menu']}
          aria-label={label}
          disabledKeys={disabled}
          onAction={(id) => entries.find((entry) => entry.id === id)?.run()}
        >
          {entries.map((entry) => (
            <MenuItem key={entry.id} id={entry.id} textValue={entry.label} className={styles['item']}>
              {entry.icon ? <Icon name={entry.icon} size={16} /> : <span className={styles['place']} />}
              <span className={styles['word']}>{entry.label}</span>
              {entry.keys && <Keys of={entry.keys} />}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
