import { ChangePasswordForm } from '../parts/sign-in/change-password-form.tsx';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { endSession, readSession } from './session.ts';

/** A password that was made for the person must become their own before anything else. */
export function ChangePassword() {
  return (
    <CardPage title={t.signIn.changeTitle} sentence={t.signIn.changeSentence}>
      <ChangePasswordForm hasFocus onChanged={readSession} />
      <Button variant="link" onPress={() => void endSession('signed out')}>
        {t.shell.signOut}
      </Button>
    </CardPage>
  );
}
