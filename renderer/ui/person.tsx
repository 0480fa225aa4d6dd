import styles from './person.module.css';
import { initialsOf } from './person-match.ts';
import { words } from './words.ts';

/** A person as initials in a ring: one's own are blue. The name is the title and what readers hear. */
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
