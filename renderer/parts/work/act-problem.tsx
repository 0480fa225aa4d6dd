import { t } from '../../texts/work.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { refusedWords, type WorkActions } from './use-work-actions.ts';

/** Shows why an action failed. Changed items can be read again, and the input stays. */
export function ActProblem({ acts: { failure, reload } }: { acts: Pick<WorkActions, 'failure' | 'reload'> }) {
  if (failure === null) return null;
  return (
    <Notice
      tone={failure.isStale ? 'warn' : 'danger'}
      isLive
      title={refusedWords(failure)}
      action={failure.isStale && <Button onPress={reload}>{t.work.reload}</Button>}
    />
  );
}
