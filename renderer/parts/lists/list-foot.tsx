import { Keys } from '../../ui/keys.tsx';
import { PaneFoot } from '../../ui/pane.tsx';
import styles from './list-foot.module.css';

/** The keys of a list, once. Each entry: the keys and what they do. With `wraps` all of them are shown, on several lines. */
export function ListFoot({
  keys,
  wraps = false,
}: {
  keys: readonly (readonly [readonly string[], string])[];
  wraps?: boolean;
}) {
  return (
    <PaneFoot wraps={wraps}>
      {keys.map(([caps, word]) => (
        <span key={word} className={styles['entry']}>
          {caps.map((cap) => (
            <Keys key={cap} of={cap} />
          ))}
          {word}
        </span>
      ))}
    </PaneFoot>
  );
}
