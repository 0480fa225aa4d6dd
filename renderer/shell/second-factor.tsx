import { useState } from 'react';
import { AddPasskey } from '../parts/sign-in/add-passkey.tsx';
import { passkeyObstacle } from '../parts/sign-in/passkey.ts';
import { TwoFactorSetup } from '../parts/sign-in/two-factor-setup.tsx';
import { t } from '../texts/two-factor.ts';
import { Button } from '../ui/button.tsx';
import { CardPage } from './card-page.tsx';
import { endSession, readSession } from './session.ts';

const words = t.twoFactor;
const NONE = { enabled: false, passkeys: 0 };

/** Sets up a second factor before anything else, where a role requires one. */
export function SecondFactor() {
  const [way, setWay] = useState<'codes' | 'passkey'>('codes');
  const done = () => void readSession();
  return (
    <CardPage title={words.neededTitle} sentence={words.neededSentence}>
      {way === 'codes' ? (
        <TwoFactorSetup factors={NONE} onDone={done} />
      ) : (
        <AddPasskey factors={NONE} onDone={done} />
      )}
      {passkeyObstacle() === null && (
        <Button variant="link" onPress={() => setWay(way === 'codes' ? 'passkey' : 'codes')}>
          {way === 'codes' ? words.passkeys.insteadOfCodes : words.passkeys.insteadOfPasskey}
        </Button>
      )}
      <Button variant="link" onPress={() => void endSession('signed out')}>
        {t.shell.signOut}
      </Button>
    </CardPage>
  );
}
