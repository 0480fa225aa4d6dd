import type { WorkItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { forgetRefusal, returnTo, useActState } from './pending-actions.ts';
import { refusedWords, useWorkActions } from './use-work-actions.ts';
import styles from './work.module.css';

const NONE: readonly WorkItem[] = [];

/** Shows the last refusal about items that are not in view any more, with a link back to a single one. */
export function RefusedLine(props: {
  /** Returns true for items whose view shows their refusals itself. */
  isShown: (item: WorkItem) => boolean;
  onShow: (item: WorkItem) => void;
}) {
  const refusal = useActState().refusals.findLast(({ items }) => !items.some(props.isShown));
  const { run } = useWorkActions(refusal?.items ?? NONE, () => undefined);
  const [first, ...others] = refusal?.items ?? NONE;
  if (!refusal || !first) return null;
  const fresh = refusal.meanwhile?.fresh;
  const show = () => {
    returnTo(refusal);
    props.onShow(first);
  };
  return (
    <div className={styles['note']}>
      <Notice
        tone={refusal.meanwhile ? 'warn' : 'danger'}
        isLive
        title={`${t.work.refused(refusal.what)} ${refusedWords(refusal)}`}
        action={
          <>
            {others.length === 0 ? (
              <Button onPress={show}>{t.work.showFirst}</Button>
            ) : (
              fresh && (
                <Button onPress={() => run(refusal.act, fresh)}>{t.work.doAnyway[refusal.act.kind]}</Button>
              )
            )}
            <IconButton icon="close" label={t.work.closeRefused} onPress={() => forgetRefusal(refusal)} />
          </>
        }
      />
    </div>
  );
}
