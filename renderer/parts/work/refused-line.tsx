import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { forgetRefusal, returnTo, useActState } from './pending-actions.ts';
import { refetchRefused, refusedWords } from './use-work-actions.ts';
import styles from './work.module.css';

/** Shows the last refusal about items that are not in view any more, with a link back to a single one. */
export function RefusedLine(props: {
  /** Returns true for items whose view shows their refusals itself. */
  isShown: (item: WorkItem) => boolean;
  onShow: (item: WorkItem) => void;
}) {
  const refusal = useActState().refusals.findLast(({ items }) => !items.some(props.isShown));
  const [first] = refusal?.items ?? [];
  if (!refusal || !first) return null;
  const show = () => {
    returnTo(refusal);
    props.onShow(first);
  };
  return (
    <div className={styles['note']}>
      <Notice
        tone={refusal.isStale ? 'warn' : 'danger'}
        isLive
        title={`${t.work.refused(refusal.what)} ${refusedWords(refusal)}`}
        action={
          <>
            {refusal.all === 1 ? (
              <Button onPress={show}>{t.work.showFirst}</Button>
            ) : (
              refusal.isStale && <Button onPress={() => refetchRefused(refusal)}>{t.work.reload}</Button>
            )}
            <IconButton icon="close" label={t.work.closeRefused} onPress={() => forgetRefusal(refusal)} />
          </>
        }
      />
    </div>
  );
}
