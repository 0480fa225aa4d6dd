import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useSignOut } from './person-actions.ts';
import { endSession } from './session.ts';

/** Asks for confirmation before signing out deletes a draft. */
export function SignOutQuestion({ onClose }: { onClose: () => void }) {
  const leave = useSignOut();
  return (
    <Dialog
      title={t.shell.signOutQuestion}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={() => leave('signed out')}>{t.shell.signOutAndDelete}</Button>
          <Button variant="primary" icon="lock" autoFocus onPress={() => void endSession('locked by hand')}>
            {t.shell.lockInstead}
          </Button>
        </>
      }
    >
      <p>{t.shell.signOutSentence}</p>
    </Dialog>
  );
}
