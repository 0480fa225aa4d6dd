import { useState } from 'react';
import { offerTour } from '../api/tour.ts';
import { ChangePasswordForm } from '../parts/sign-in/change-password-form.tsx';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { endSession, readSession } from './session.ts';
import { passwordJustTyped } from './sign-in-note.ts';

/** The first password of a person's own is the sign that they are new. Without the offer they find the tour in their menu. */
async function begin(): Promise<void> {
  await readSession();
  await offerTour().catch(() => undefined);
}

/** A password that was made for the person must become their own before anything else. */
export function ChangePassword() {
  // Kept for as long as the page is, also when it is forgotten elsewhere the moment the new one is accepted.
  const [current] = useState(passwordJustTyped.get);
  return (
    <CardPage title={t.signIn.changeTitle} sentence={t.signIn.changeSentence}>
      <ChangePasswordForm hasFocus current={current} onChanged={begin} />
      <Button variant="link" onPress={() => void endSession('signed out')}>
        {t.shell.signOut}
      </Button>
    </CardPage>
  );
}
