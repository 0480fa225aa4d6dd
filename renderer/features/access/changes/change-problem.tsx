import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Change } from './use-change.ts';

/** Why nothing was changed. After somebody else's change it reads again, and keeps what was typed. */
export function ChangeProblem({
  change,
}: {
  change: Pick<Change<never>, 'error' | 'isStale' | 'reload' | 'isPending'>;
}) {
  if (change.error === null) return null;
  if (!change.isStale)
    return (
      <Notice tone="danger" isLive>
        {sentenceOf(change.error)}
      </Notice>
    );
  return (
    <Notice
      tone="warn"
      isLive
      title={t.access.change.staleTitle}
      action={<Button onPress={() => void change.reload()}>{t.access.change.reload}</Button>}
    >
      {t.access.change.staleSentence}
    </Notice>
  );
}
