import { useState } from 'react';
import { passkeys } from '../../api/two-factor.ts';
import { t } from '../../texts/two-factor.ts';
import { TextField } from '../../ui/field.tsx';
import { ConfirmForm, type Factors } from './confirm-form.tsx';
import { makePasskey } from './passkey.ts';
import { RecoveryCodes } from './two-factor-setup.tsx';

const words = t.twoFactor.passkeys;

/** From the password to the passkey, and to the recovery codes when it is the first second factor. */
export function AddPasskey({ factors, onDone }: { factors: Factors; onDone: () => void }) {
  const [name, setName] = useState('');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onStored={onDone} />;
  return (
    <ConfirmForm
      factors={factors}
      sentence={words.addSentence}
      submit={words.addNow}
      isReady={name.trim() !== ''}
      act={async (second, password) => {
        const options = await passkeys.beginPasskey({ body: { current_password: password, ...second } });
        const passkey = await makePasskey(options);
        return await passkeys.addPasskey({ body: { name, passkey } });
      }}
      onDone={({ recovery_codes }) => (recovery_codes === null ? onDone() : setCodes(recovery_codes))}
    >
      {(missing) => (
        <TextField
          label={words.name}
          help={words.nameHelp}
          autoComplete="off"
          autoFocus
          value={name}
          onChange={setName}
          error={name.trim() === '' ? missing : null}
        />
      )}
    </ConfirmForm>
  );
}
