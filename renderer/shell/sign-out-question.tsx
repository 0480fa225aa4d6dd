import { useMutation } from '@tanstack/react-query';
import { useMe } from '../api/queries.ts';
import { sentenceOf } from '../api/sentence.ts';
import { saveOpenDraft } from '../features/outbound-send/draft/draft-store.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { Notice } from '../ui/notice.tsx';
import { useSignOut } from './person-actions.ts';
import { endSession } from './session.ts';

/** Asks about the draft on the form before signing out deletes it. */
export function SignOutQuestion({ onClose }: { onClose: () => void }) {
  const leave = useSignOut();
  const owner = useMe()?.principal.id ?? null;
  const save = useMutation({
    mutationFn: async () => (owner === null ? undefined : saveOpenDraft(owner)),
    networkMode: 'always',
    onSuccess: () => leave('signed out'),
  });
  return (
    <Dialog
      title={t.shell.signOutQuestion}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => leave('signed out')}>{t.shell.signOutAndDelete}</Button>
          <Button icon="lock" onPress={() => void endSession('locked by hand')}>
            {t.shell.lockInstead}
          </Button>
          <Button variant="primary" autoFocus isDisabled={save.isPending} onPress={() => save.mutate()}>
            {t.shell.signOutAndSave}
          </Button>
        </>
      }
    >
      {save.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(save.error)}
        </Notice>
      )}
      <p>{t.shell.signOutSentence}</p>
    </Dialog>
  );
}
