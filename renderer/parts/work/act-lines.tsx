import type { ReactNode } from 'react';
import type { WorkItem } from '../../api/work.ts';
import { RefusedLine } from './refused-line.tsx';
import { UndoLine } from './undo-line.tsx';
import styles from './work.module.css';

/**
 * A screen and, below its list and its page, what became of the last action: in view also where only one of the two has
 * room.
 */
export function WithActLines(props: {
  /** Under which the key is listed. */
  screen: string;
  /** Returns true for items whose view shows their refusals itself. */
  isShown: (item: WorkItem) => boolean;
  onShow: (item: WorkItem) => void;
  onUndone: (ids: readonly string[]) => void;
  /** The list and the page. */
  children: ReactNode;
}) {
  return (
    <div className={styles['screen']}>
      {props.children}
      <RefusedLine isShown={props.isShown} onShow={props.onShow} />
      <UndoLine screen={props.screen} onUndone={props.onUndone} />
    </div>
  );
}
