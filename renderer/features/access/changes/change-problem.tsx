import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Change } from './use-change.ts';

/** Shows why nothing was changed. After another person's change it reads the data again and keeps the input. */
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
