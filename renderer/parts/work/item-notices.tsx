import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type WorkItem, workQuery } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { formatSpoken } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import styles from './work.module.css';
import { useWorkState } from './work-words.ts';

/** Above the pages: what a person should know before they act on this fax. Nothing where there is nothing to know. */
export function ItemNotices({ item, ownerCanSee }: { item: WorkItem; ownerCanSee: boolean | null }) {
  const earlier = item.duplicate_of;
  if (ownerCanSee !== false && earlier === null) return null;
  return (
    <div className={styles['notices']}>
      {ownerCanSee === false && <Notice tone="warn" isLive title={t.work.ownerLostAccess} />}
      {earlier !== null && <Duplicate earlier={earlier} />}
    </div>
  );
}

/**
 * Notes that the same document came before, and what became of it. Both items are to be done, and a person who sees one of
 * them twice should know.
 */
function Duplicate({ earlier }: { earlier: NonNullable<WorkItem['duplicate_of']> }) {
  const navigate = useNavigate();
  // A person who may not see the earlier one gets its time alone.
  const first = useQuery({ ...workQuery(earlier.id), retry: false }).data;
  const show = () => void navigate({ to: '/work/{-$workId}', params: { workId: earlier.id }, search: true });
  return (
    <Notice
      tone="plain"
      icon="copy"
      title={
        <>
          {t.work.duplicate(formatSpoken(earlier.available_at))} {first && <Outcome item={first} />}
        </>
      }
      action={<Button onPress={show}>{t.work.showEarlier}</Button>}
    />
  );
}

/** "It is acknowledged, by Mara Okafor." */
function Outcome({ item }: { item: WorkItem }) {
  const { word } = useWorkState(item);
  const by = item.done_by ?? item.acknowledged_by ?? item.owner?.name ?? null;
  const note = item.state === 'done' ? item.done_note : null;
  return <>{t.work.duplicateState(word, by, note)}</>;
}
