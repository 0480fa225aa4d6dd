import { TwoFactorSetup } from '../parts/sign-in/two-factor-setup.tsx';
import { t } from '../texts/two-factor.ts';
import { Button } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { endSession, readSession } from './session.ts';

/** A role asks for a second factor: it is set up before anything else. */
export function SecondFactor() {
  return (
    <CardPage title={t.twoFactor.neededTitle} sentence={t.twoFactor.neededSentence}>
      <TwoFactorSetup onDone={() => void readSession()} />
      <Button variant="link" onPress={() => void endSession('signed out')}>
        {t.shell.signOut}
      </Button>
    </CardPage>
  );
}
