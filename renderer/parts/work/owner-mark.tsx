import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { PersonMark } from '../../ui/person.tsx';
import styles from './work.module.css';

type Owned = Pick<WorkItem, 'owner' | 'is_mine'>;

/** "You", a name, or "Nobody". */
export function ownerName({ owner, is_mine }: Owned): string {
  if (owner === null) return t.work.owner.nobody;
  return is_mine ? t.work.owner.you : owner.name;
}

/** The owner's initials in a ring; a dashed one for nobody. */
export function OwnerMark({ item }: { item: Owned }) {
  if (item.owner) return <PersonMark name={item.owner.name} isMe={item.is_mine} />;
  return (
    <span className={styles['nobody']} role="img" aria-label={t.work.owner.none} title={t.work.owner.none} />
  );
}
