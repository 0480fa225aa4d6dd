import { useMutation } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { refetchItem, storeItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sentenceFor } from './acts.ts';
import { type LastAction, lastAction, rememberAction, useLastAction } from './last-action.ts';
import { enqueue, useActState } from './pending-actions.ts';
import styles from './work.module.css';

/**
 * Shows the last action, or the one under way, with an undo button for ten seconds; `onUndone` receives the restored
 * items. Undoing an action under way waits for its response, so that only completed changes are undone.
 */
export function UndoLine({
  screen,
  onUndone,
}: {
  screen: string;
  onUndone: (ids: readonly string[]) => void;
}) {
  const last = useLastAction();
  const doing = useActState().underway.at(-1);
  const undoing = useMutation({
    mutationFn: (seen: LastAction | null) =>
      enqueue(async () => {
        const act = lastAction();
        // An action under way that was refused.
        if (act === null || act === seen || act.isOver === true) return;
        rememberAction(null);
        for (const { id, version } of act.items) {
          refetchItem(id);
          storeItem(await client.work.undoWork({ params: { id }, body: { version } }));
        }
        announce(t.work.did.undone(act.what));
        onUndone(act.items.map(({ id }) => id));
      }),
  });
  const isOver = doing === undefined && (last === null || last.isOver === true);
  const undo = () => {
    if (isOver) announce(t.work.nothingToUndo);
    else undoing.mutate(doing ? last : null);
  };
  const label = t.work.actLabels.undo;
  useActions(screen, [
    { id: 'undo-work', label, icon: 'undo', keys: 'u', isDisabled: undoing.isPending, run: undo },
  ]);
  if (undoing.error && last === null && !doing)
    return (
      <div className={styles['note']}>
        <Notice tone="danger" isLive title={sentenceOf(undoing.error)} />
      </div>
    );
  const sentence = doing ? sentenceFor(doing.act, doing.what, true) : last?.sentence;
  if (sentence === undefined) return null;
  return (
    <div className={styles['undo']}>
      <span>
        {sentence}
        {isOver && ` ${t.work.undoOver}`}
      </span>
      {!isOver && (
        <Button icon="undo" keys="u" isPending={undoing.isPending} onPress={undo}>
          {t.work.acts.undo}
        </Button>
      )}
    </div>
  );
}
