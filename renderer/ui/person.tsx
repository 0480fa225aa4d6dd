import styles from './person.module.css';
import { words } from './words.ts';

/** The initials of at most two words: "Mara Okafor" is MO, "front-desk" is F. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const chosen = words.length > 1 ? [words[0], words.at(-1)] : words;
  return chosen
    .map((word) => Array.from(word ?? '')[0] ?? '')
    .join('')
    .toLocaleUpperCase();
}

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
