import { usePeopleAt, useReportOpen } from '../../api/presence.ts';
import { t } from '../../texts/index.ts';
import { Icon } from '../../ui/icon.tsx';
import styles from './presence.module.css';

/** At an open fax: who else has it open. Others see this window there as well. */
export function PeopleHere({ faxId }: { faxId: string }) {
  useReportOpen(faxId);
  const names = usePeopleAt(faxId).map(({ name }) => name);
  const [first] = names;
  const last = names.at(-1);
  const words = t.inbox.presence;
  const text =
    names.length > 1 && last !== undefined
      ? words.more(names.slice(0, -1).join(', '), last)
      : words.one(first ?? '');
  // A reader announces what appears within a region that was there before.
  return (
    <span className={first === undefined ? undefined : styles['here']} role="status" title={first && text}>
      {first !== undefined && (
        <>
          <Icon name="eye" size={16} />
          <span className={styles['word']}>{text}</span>
        </>
      )}
    </span>
  );
}
