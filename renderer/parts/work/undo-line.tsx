import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { client } from '../../api/client.ts';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { refetchItem, storeItem } from '../../api/work.ts';
import { t } from '../../texts/work.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { sentenceFor } from './acts.ts';
import { type LastAction, lastAction, rememberAction, useLastAction } from './last-action.ts';
import { sinceSeen } from './meanwhile.ts';
import { enqueue, useActState } from './pending-actions.ts';
import styles from './work.module.css';

/**
 * Shows the last action, or the one under way, with an undo button for ten seconds; `onUndone` receives the restored
 * items. Undoing an action under way waits for its response, so that only completed changes are undone. An undo that comes
 * too late says so.
 */
export function UndoLine({
  screen,
  onUndone,
}: {
  screen: string;
  onUndone: (ids: readonly string[]) => void;
}) {
  const last = useLastAction();
  const [isTold, setTold] = useState(false);
  const doing = useActState().underway.at(-1);
  const undoing = useMutation({
    mutationFn: (seen: LastAction | null) =>
      enqueue(async () => {
        const act = lastAction();
        // An action under way that was refused.
        if (act === null || act === seen || act.isOver === true) return null;
        rememberAction(null);
        const { undone, problem } = await undoAll(act);
        if (undone.length > 0 || (act.undo && problem === null)) onUndone(undone);
        if (problem === null) announce(t.work.did.undone(act.what));
        return problem;
      }),
  });
  const isOver = doing === undefined && (last === null || last.isOver === true);
  useEffect(() => {
    if (!isOver) setTold(false);
  }, [isOver]);
  const undo = () => {
    if (isOver) setTold(true);
    else undoing.mutate(doing ? last : null);
  };
  const label = t.work.actLabels.undo;
  useActions(screen, [
    { id: 'undo-work', label, icon: 'undo', keys: 'u', isDisabled: undoing.isPending, run: undo },
  ]);
  const problem = undoing.data ?? (undoing.error ? sentenceOf(undoing.error) : null);
  if (last === null && !doing && problem !== null) return <TooLate title={problem} onClose={undoing.reset} />;
  const tooLate = isTold && isOver && <TooLate title={t.work.nothingToUndo} onClose={() => setTold(false)} />;
  const sentence = doing ? sentenceFor(doing.act, doing.what, true) : last?.sentence;
  if (sentence === undefined) return tooLate;
  return (
    <>
      {tooLate}
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
    </>
  );
}

function TooLate({ title, onClose }: { title: string; onClose: () => void }) {
  const close = <IconButton icon="close" label={t.work.closeRefused} onPress={onClose} />;
  return (
    <div className={styles['note']}>
      <Notice tone="warn" isLive title={title} action={close} />
    </div>
  );
}

/** Undoes the action on each item; what could not be undone is said in one sentence, with the reason. */
async function undoAll(act: LastAction): Promise<{ undone: readonly string[]; problem: string | null }> {
  if (act.undo) {
    try {
      await act.undo();
      return { undone: act.items.map(({ id }) => id), problem: null };
    } catch (error) {
      return { undone: [], problem: t.work.notUndone(act.what, sentenceOf(error), null) };
    }
  }
  const undone: string[] = [];
  const reasons: string[] = [];
  for (const { id, version } of act.items) {
    refetchItem(id);
    try {
      storeItem(await client.work.undoWork({ params: { id }, body: { version } }));
      undone.push(id);
    } catch (error) {
      reasons.push(await reasonOf(error, { id, version }));
    }
  }
  const [reason] = reasons;
  if (reason === undefined) return { undone, problem: null };
  const count =
    act.items.length === 1 ? null : ([formatCount(reasons.length), formatCount(act.items.length)] as const);
  return { undone, problem: t.work.notUndone(act.what, reason, count) };
}

async function reasonOf(
  error: unknown,
  seen: Pick<LastAction['items'][number], 'id' | 'version'>,
): Promise<string> {
  if (!isStatus(error, 404, 409)) return sentenceOf(error);
  if (isStatus(error, 404)) return t.inbox.accessRemoved.gone;
  try {
    return (await sinceSeen(seen)) ?? t.work.undoSeconds;
  } catch {
    return t.work.undoSeconds;
  }
}
