import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { twoFactor } from '../../api/two-factor.ts';
import { t } from '../../texts/two-factor.ts';
import { Button } from '../../ui/button.tsx';
import { CopyField } from '../../ui/copy-field.tsx';
import { TextField } from '../../ui/field.tsx';
import { QrPicture } from '../../ui/qr-picture.tsx';
import { ConfirmForm, type Factors } from './confirm-form.tsx';
import { ProofForm } from './proof-form.tsx';
import styles from './two-factor-setup.module.css';

const words = t.twoFactor;

type Begun = Awaited<ReturnType<typeof twoFactor.beginTwoFactor>>;

/** From the password to the recovery codes; nothing changes before a code of the app was typed. */
export function TwoFactorSetup({ factors, onDone }: { factors: Factors; onDone: () => void }) {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  if (codes !== null) return <RecoveryCodes codes={codes} onStored={onDone} />;
  if (begun !== null) return <FirstCode begun={begun} onOn={setCodes} />;
  return (
    <ConfirmForm
      factors={factors}
      submit={words.begin}
      act={(second, password) =>
        twoFactor.beginTwoFactor({ body: { current_password: password, ...second } })
      }
      onDone={setBegun}
    />
  );
}

function FirstCode({ begun, onOn }: { begun: Begun; onOn: (codes: string[]) => void }) {
  const [code, setCode] = useState('');
  const confirm = useMutation({
    mutationFn: () => twoFactor.confirmTwoFactor({ body: { code } }),
    onSuccess: ({ recovery_codes }) => onOn(recovery_codes),
  });
  return (
    <div className={styles['scan']}>
      <p>{words.scan}</p>
      <QrPicture text={begun.otpauth_uri} label={words.picture} />
      <CopyField label={words.secret} value={begun.secret} />
      <ProofForm change={confirm} isFilled={code.trim().length >= 6} submit={words.turnOn}>
        {(missing) => (
          <TextField
            label={words.code}
            help={words.codeHelp}
            autoComplete="one-time-code"
            inputMode="numeric"
            autoFocus
            value={code}
            onChange={setCode}
            error={missing}
          />
        )}
      </ProofForm>
    </div>
  );
}

/** Shown once. */
export function RecoveryCodes({ codes, onStored }: { codes: readonly string[]; onStored: () => void }) {
  return (
    <section className={styles['codes']} aria-label={words.codesTitle}>
      <h2 className={styles['title']}>{words.codesTitle}</h2>
      <p>{words.codesSentence}</p>
      <ol className={styles['list']}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <CopyField label={words.copy} value={codes.join(' ')} />
      <Button variant="primary" onPress={onStored} autoFocus>
        {words.stored}
      </Button>
    </section>
  );
}
