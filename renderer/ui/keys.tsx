import styles from './keys.module.css';
import { isSingleKey, useSingleKeys } from './single-keys.ts';
import { words } from './words.ts';

const isApple = /Mac|iPhone|iPad/u.test(navigator.userAgent);

const SIGNS: Record<string, string> = {
  mod: isApple ? '⌘' : 'Ctrl',
  shift: isApple ? '⇧' : 'Shift',
  enter: '↵',
  escape: 'Esc',
  arrowup: '↑',
  arrowdown: '↓',
  arrowleft: '←',
  arrowright: '→',
  pageup: 'PgUp',
  pagedown: 'PgDn',
  delete: 'Del',
  space: 'Space',
  home: 'Home',
  end: 'End',
};

/** The caps of a shortcut such as `mod+enter`, as this computer's keyboard names them. */
export function keyCaps(shortcut: string): string[] {
  // The sign + is a key as well.
  return shortcut.split(/(?<=.)\+/u).map((key) => SIGNS[key] ?? key.toUpperCase());
}

/** Shows a shortcut next to its control. Screen readers get it as the control's own shortcut, not as text. */
export function Keys({ of }: { of: string }) {
  const hasSingle = useSingleKeys();
  if (isSingleKey(of) && !hasSingle) return null;
  return (
    <span className={styles['keys']} aria-hidden="true" title={words.keyTitle(keyCaps(of).join(' '))}>
      {keyCaps(of).map((cap) => (
        <kbd key={cap}>{cap}</kbd>
      ))}
    </span>
  );
}
