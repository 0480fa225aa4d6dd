import styles from './person.module.css';
import { initialsOf } from './person-match.ts';
import { words } from './words.ts';

/**
 * Shows a person as initials in a ring, which is blue for the signed-in person. The name is the title and the text for
 * screen readers.
 */
export function PersonMark({
  name,
  isMe = false,
  isLarge = false,
}: {
  name: string;
  isMe?: boolean;
  isLarge?: boolean;
}) {
  const shown = isMe ? words.you(name) : name;
  return (
    <span
      className={styles['mark']}
      role="img"
      aria-label={shown}
      title={shown}
      data-me={isMe || undefined}
      data-large={isLarge || undefined}
    >
      {initialsOf(name)}
    </span>
  );
}
