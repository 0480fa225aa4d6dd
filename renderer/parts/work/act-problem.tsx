import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { KEYS } from './act-keys.ts';
import { forgetRefusal } from './pending-actions.ts';
import { refusedWords, type WorkActions } from './use-work-actions.ts';

const keysOf = (keys: string | undefined) => (keys === undefined ? {} : { keys });

/**
 * Shows why an action failed. After somebody else's change it can be done all the same, by the button or by the same key
 * again, and the input stays.
 */
export function ActProblem({ acts: { failure, run } }: { acts: Pick<WorkActions, 'failure' | 'run'> }) {
  if (failure === null) return null;
  const { act, meanwhile } = failure;
  const fresh = meanwhile?.fresh;
  const hasForm = act.kind === 'assign' || act.kind === 'done' || act.kind === 'note';
  return (
    <Notice
      tone={meanwhile ? 'warn' : 'danger'}
      isLive
      title={refusedWords(failure)}
      action={
        <>
          {fresh && (
            <Button {...keysOf(hasForm ? 'enter' : KEYS[act.kind])} onPress={() => run(act, fresh)}>
              {t.work.doAnyway[act.kind]}
            </Button>
          )}
          <Button onPress={() => forgetRefusal(failure)}>{t.work.leaveIt}</Button>
        </>
      }
    />
  );
}
