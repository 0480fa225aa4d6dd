import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { loadPart } from '../api/load-part.ts';
import { isRefused, isStatus, sentenceOf } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SecretField, TextField } from '../ui/field.tsx';
import { FAULT } from '../ui/focus/places.ts';
import { Notice } from '../ui/notice.tsx';
import { PersonMark } from '../ui/person.tsx';
import styles from './card-page.module.css';
import { CredentialForm } from './credential-form.tsx';
import { readSession } from './session.ts';
import { passwordJustTyped } from './sign-in-note.ts';

/** Loaded when a person uses a passkey. */
const passkeyFlow = () => loadPart(() => import('../parts/sign-in/passkey.ts'));

interface Own {
  readonly login: string;
  readonly name: string;
}

function OwnLogin({ own }: { own: Own }) {
  return (
    <>
      <p className={styles['person']}>
        <span aria-hidden="true">
          <PersonMark name={own.name} isLarge />
        </span>
        {own.name}
      </p>
      <input type="hidden" name="username" autoComplete="username" value={own.login} readOnly />
    </>
  );
}

function SecondPasskey(props: { isDisabled: boolean; onPress: () => void }) {
  return (
    <Button size="big" {...props}>
      {t.signIn.secondPasskey}
    </Button>
  );
}

function LoginField(props: {
  own: Own | null;
  typed: string;
  setLogin: (login: string) => void;
  mustFill: boolean;
}) {
  const { own, typed, setLogin, mustFill } = props;
  if (own) return <OwnLogin own={own} />;
  return (
    <TextField
      label={t.signIn.login}
      name="login"
      autoComplete="username"
      autoFocus
      value={typed}
      onChange={setLogin}
      error={mustFill && typed.trim() === '' ? t.signIn.missing : null}
    />
  );
}

function CodeField(props: {
  isRecovery: boolean;
  code: string;
  setCode: (code: string) => void;
  error: string | null;
}) {
  return (
    <TextField
      label={props.isRecovery ? t.signIn.recoveryCode : t.signIn.code}
      help={props.isRecovery ? t.signIn.recoveryHelp : t.signIn.codeHelp}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      value={props.code}
      onChange={props.setCode}
      error={props.error}
    />
  );
}

/** Returns the second factors required after the password, by the gateway's error; null when there are none. */
function requiredFactors(error: unknown): { code: boolean; passkey: boolean } | null {
  if (!isRefused(error, 'code_needed', 'passkey_needed', 'code_or_passkey_needed')) return null;
  return { code: !error.is('passkey_needed'), passkey: !error.is('code_needed') };
}

/** Returns the input of the form and the gateway's response to it. */
function usePasswordForm(own: Own | null, onAsked: () => void) {
  const [typed, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asked, setAsked] = useState<ReturnType<typeof requiredFactors>>(null);
  const login = own?.login ?? typed.trim();
  const signIn = useMutation({
    mutationFn: async (how: 'typed' | 'passkey') => {
      if (how === 'passkey') return await (await passkeyFlow()).signInWithBoth(login, password);
      await client.access.login({ body: { login, password, ...(asked ? { code } : {}) } });
    },
    onError: (error) => {
      const wanted = requiredFactors(error);
      if (wanted) {
        setAsked(wanted);
        onAsked();
        // The wrong part is cleared, to be typed again.
      } else if (isStatus(error, 401)) (asked ? setCode : setPassword)('');
    },
    onSuccess: async () => {
      passwordJustTyped.set(password);
      await readSession();
    },
  });
  const isWrong = isStatus(signIn.error, 401) && !requiredFactors(signIn.error);
  // No message mentions a name while only the password is requested.
  const isOwnWrong = isWrong && own !== null && !asked;
  return { typed, setLogin, password, setPassword, code, setCode, asked, signIn, isWrong, isOwnWrong };
}

/**
 * Form for the password. A person who locked the window needs only that. A second factor is requested once the password
 * was right.
 */
export function PasswordForm({ own, onAsked }: { own: Own | null; onAsked: () => void }) {
  const form = usePasswordForm(own, onAsked);
  const { typed, setLogin, password, setPassword, code, setCode, asked, signIn, isWrong, isOwnWrong } = form;
  return (
    <CredentialForm
      error={(asked && requiredFactors(signIn.error)) || isOwnWrong ? null : signIn.error}
      isBusy={signIn.isPending}
      submit={t.signIn.submit}
      onSubmit={() => signIn.mutate('typed')}
      other={
        asked?.passkey && (
          <SecondPasskey isDisabled={signIn.isPending} onPress={() => signIn.mutate('passkey')} />
        )
      }
    >
      {(mustFill) => (
        <>
          <LoginField own={own} typed={typed} setLogin={setLogin} mustFill={mustFill} />
          <div {...(isWrong && !asked && password === '' ? FAULT : {})}>
            <SecretField
              label={t.signIn.password}
              name="password"
              autoComplete="current-password"
              autoFocus={own !== null}
              value={password}
              onChange={setPassword}
              error={
                password === '' ? (mustFill ? t.signIn.missing : isOwnWrong ? t.signIn.wrong : null) : null
              }
            />
          </div>
          {asked && (
            <div {...(isWrong && code === '' ? FAULT : {})}>
              <CodeField
                isRecovery={!asked.code}
                code={code}
                setCode={setCode}
                error={mustFill && code === '' ? t.signIn.missing : null}
              />
            </div>
          )}
        </>
      )}
    </CredentialForm>
  );
}

/** Signs in without name and password. The gateway reports why this address does not allow it. */
export function PasskeyButton() {
  const signIn = useMutation({
    mutationFn: async () => (await passkeyFlow()).signInWithPasskey(),
    onSuccess: readSession,
  });
  return (
    <>
      <Button isPending={signIn.isPending} onPress={() => signIn.mutate()}>
        {t.signIn.withPasskey}
      </Button>
      {signIn.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(signIn.error)}
        </Notice>
      )}
    </>
  );
}
