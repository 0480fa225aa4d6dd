import { usePeopleAt } from '../../api/presence.ts';
import { t } from '../../texts/index.ts';
import { formatCount } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import { initialsOf } from '../../ui/person-match.ts';
import styles from './presence.module.css';

/** In a row: the initials of another person who has the fax open, and the number of further ones. Nothing for nobody. */
export function OpenMark({ faxId }: { faxId: string }) {
  const people = usePeopleAt(faxId);
  const [first, ...others] = people;
  if (!first) return null;
  const label = t.inbox.presence.row(people.map(({ name }) => name).join(', '));
  return (
    <span className={styles['row']} role="img" aria-label={label} title={label}>
      <Icon name="eye" size={16} />
      {initialsOf(first.name)}
      {others.length > 0 && ` ${t.inbox.presence.others(formatCount(others.length))}`}
    </span>
  );
}
