import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PasskeyAnswer } from '../../../shared/api/access-passkeys.ts';
import { t } from '../../texts/two-factor.ts';
import { SecretField, TextField } from '../../ui/field.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { passkeyObstacle, provePasskey } from './passkey.ts';
import { ProofForm } from './proof-form.tsx';

const words = t.twoFactor;

/** A code, or what was signed with a passkey; neither where there is no second factor. */
interface SecondFactor {
  code?: string;
  passkey?: PasskeyAnswer;
}

/** Second factors of the person. */
export interface Factors {
  readonly enabled: boolean;
  readonly passkeys: number;
}

/** Form for the password and the second factor, which is a code or a passkey; then does what they confirm. */
export function ConfirmForm<T>(props: {
  factors: Factors;
  act: (second: SecondFactor, password: string) => Promise<T>;
  onDone: (result: T) => void;
  submit: string;
  /** Consequence, shown above the fields. */
  sentence?: string;
  asksPassword?: boolean;
  /** True when the other fields are filled in. */
  isReady?: boolean;
  children?: (missing: string | null) => ReactNode;
}) {
  const { factors, act, asksPassword = true, isReady = true } = props;
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const isOn = factors.enabled || factors.passkeys > 0;
  const change = useMutation({
    mutationFn: async (how: 'code' | 'passkey') => {
      if (!isOn) return await act({}, password);
      return await act(how === 'code' ? { code } : { passkey: await provePasskey() }, password);
    },
    onSuccess: props.onDone,
  });
  const hasPassword = isReady && (!asksPassword || password !== '');
  const isFilled = hasPassword && (!isOn || code.trim().length >= 6);
  const other = factors.passkeys > 0 && passkeyObstacle() === null && (
    <MainButton
      variant="default"
      isPending={change.isPending}
      reason={hasPassword ? null : words.fillFirst}
      onPress={() => change.mutate('passkey')}
    >
      {words.passkeys.confirm}
    </MainButton>
  );
  return (
    <ProofForm
      change={{ ...change, mutate: () => change.mutate('code') }}
      isFilled={isFilled}
      submit={props.submit}
      other={other}
    >
      {(missing) => (
        <>
          {props.sentence !== undefined && <p>{props.sentence}</p>}
          {props.children?.(missing)}
          <ProofFields
            {...{ factors, missing, password, setPassword, code, setCode, asksPassword }}
            hasFocus={props.children === undefined}
          />
        </>
      )}
    </ProofForm>
  );
}

function ProofFields(props: {
  factors: Factors;
  missing: string | null;
  asksPassword: boolean;
  hasFocus: boolean;
  password: string;
  setPassword: (password: string) => void;
  code: string;
  setCode: (code: string) => void;
}) {
  const { factors, missing, password, code } = props;
  return (
    <>
      {props.asksPassword && (
        <SecretField
          label={words.password}
          autoComplete="current-password"
          autoFocus={props.hasFocus}
          value={password}
          onChange={props.setPassword}
          error={password === '' ? missing : null}
        />
      )}
      {(factors.enabled || factors.passkeys > 0) && (
        <TextField
          label={factors.enabled ? words.codeOrRecovery : words.passkeys.recoveryCode}
          help={factors.enabled ? words.codeOrRecoveryHelp : words.passkeys.recoveryHelp}
          autoComplete="one-time-code"
          value={code}
          onChange={props.setCode}
          error={code.trim().length < 6 ? missing : null}
        />
      )}
    </>
  );
}
