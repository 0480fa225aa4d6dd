import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { twoFactor } from '../../../api/two-factor.ts';
import { ProofForm } from '../../../parts/sign-in/proof-form.tsx';
import { RecoveryCodes, TwoFactorSetup } from '../../../parts/sign-in/two-factor-setup.tsx';
import { t } from '../../../texts/two-factor.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { SecretField, TextField } from '../../../ui/field.tsx';
import { formatCount } from '../../../ui/format.ts';
import styles from './my-sign-in.module.css';

const words = t.twoFactor;
const KEY = ['two-factor'];

/** Whether the own sign-in asks for a code, and what can be done about it. */
export function SecondFactor() {
  const state = useQuery({ queryKey: KEY, queryFn: ({ signal }) => twoFactor.twoFactor({ signal }) }).data;
  const [open, setOpen] = useState<'set up' | 'renew' | 'turn off' | null>(null);
  const queries = useQueryClient();
  const done = () => {
    setOpen(null);
    void queries.invalidateQueries({ queryKey: KEY });
    void queries.invalidateQueries({ queryKey: ['me'] });
    void queries.invalidateQueries({ queryKey: ['access'] });
  };
  if (!state) return null;
  const { enabled, required, recovery_codes_left: left } = state;
  return (
    <section className={styles['part']} aria-label={words.title}>
      <h2 className={styles['title']}>{words.title}</h2>
      <p className={styles['quiet']}>
        {enabled ? `${words.on} ${words.codesLeft(formatCount(left), left)}` : words.off}
        {required && ` ${words.isRequired}`}
      </p>
      <div className={styles['actions']}>
        {!enabled && <Button onPress={() => setOpen('set up')}>{words.setUp}</Button>}
        {enabled && <Button onPress={() => setOpen('renew')}>{words.newCodes}</Button>}
        {enabled && !required && <Button onPress={() => setOpen('turn off')}>{words.turnOff}</Button>}
      </div>
      <Dialog title={words.title} isOpen={open === 'set up'} onClose={done} kind="form">
        <TwoFactorSetup onDone={done} />
      </Dialog>
      <Dialog title={words.renewTitle} isOpen={open === 'renew'} onClose={done} kind="form">
        <Renew onDone={done} />
      </Dialog>
      <Dialog title={words.turnOffTitle} isOpen={open === 'turn off'} onClose={done} kind="form">
        <TurnOff onDone={done} />
      </Dialog>
    </section>
  );
}

function CodeField(props: { value: string; onChange: (code: string) => void; error: string | null }) {
  return (
    <TextField
      label={words.codeOrRecovery}
      help={words.codeOrRecoveryHelp}
      autoComplete="one-time-code"
      {...props}
    />
  );
}

function Renew({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('');
  const renew = useMutation({ mutationFn: () => twoFactor.renewRecoveryCodes({ body: { code } }) });
  if (renew.data) return <RecoveryCodes codes={renew.data.recovery_codes} onStored={onDone} />;
  return (
    <>
      <p>{words.renewSentence}</p>
      <ProofForm change={renew} isFilled={code.trim().length >= 6} submit={words.renewNow}>
        {(missing) => <CodeField value={code} onChange={setCode} error={missing} />}
      </ProofForm>
    </>
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const remove = useMutation({
    mutationFn: () => twoFactor.removeTwoFactor({ body: { current_password: password, code } }),
    onSuccess: onDone,
  });
  const isFilled = password !== '' && code.trim().length >= 6;
  return (
    <>
      <p>{words.turnOffSentence}</p>
      <ProofForm change={remove} isFilled={isFilled} submit={words.turnOffNow}>
        {(missing) => (
          <>
            <SecretField
              label={words.password}
              autoComplete="current-password"
              value={password}
              onChange={setPassword}
              error={password === '' ? missing : null}
            />
            <CodeField value={code} onChange={setCode} error={code.trim().length < 6 ? missing : null} />
          </>
        )}
      </ProofForm>
    </>
  );
}
