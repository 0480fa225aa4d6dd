import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useState } from 'react';
import { client } from '../api/client.ts';
import { pageToken } from '../api/page-token.ts';
import { isRefused, sentenceOf } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SecretField, TextField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import { PersonMark } from '../ui/person.tsx';
import styles from './card-page.module.css';
import { CardPage } from './card-page.tsx';
import { readSession } from './session.ts';
import { type SignInNote, signInNote, windowLogin } from './sign-in-note.ts';

/** Whether this installation has an owner; a gateway that cannot say counts as set up. Null until it is known. */
function useIsNew(): boolean | null {
  const welcome = useQuery({
    queryKey: ['welcome'],
    retry: false,
    queryFn: () => client.access.welcome(),
  });
  return welcome.isPending ? null : (welcome.data?.setup_needed ?? false);
}

export function SignIn() {
  const isNew = useIsNew();
  const wasHere = signInNote.get() !== null;
  if (isNew === null && !wasHere) return null;
  return isNew ? <FirstSignIn /> : <PersonSignIn />;
}

/** The first owner: the desktop window lets them in by itself, a browser asks for the installation key. */
function FirstSignIn() {
  const bridge = window.faxdesk;
  const letIn = useQuery({
    queryKey: ['let-in'],
    enabled: bridge !== undefined,
    retry: false,
    queryFn: async () => {
      const isIn = (await bridge?.signInFirstOwner(pageToken())) ?? false;
      if (isIn) await readSession();
      return isIn;
    },
  });
  if (bridge && letIn.isPending) return null;
  return (
    <CardPage title={t.signIn.welcome} sentence={t.signIn.welcomeSentence}>
      <KeyForm label={t.signIn.installationKey} help={t.signIn.installationKeyHelp} submit={t.signIn.begin} />
    </CardPage>
  );
}

function PersonSignIn() {
  const [way, setWay] = useState<'password' | 'key'>('password');
  const [note, setNote] = useState(signInNote.get);
  const [own, setOwn] = useState(() => windowLogin.of(note?.person?.id));
  const navigate = useNavigate();
  const isLocked = note?.why === 'locked' || note?.why === 'locked by hand';
  const somebodyElse = () => {
    windowLogin.forget();
    setOwn(null);
    setNote(null);
    void navigate({ to: '/', replace: true });
  };
  return (
    <CardPage
      title={isLocked ? t.signIn.locked : t.signIn.title}
      {...(note ? { sentence: sentenceFor(note.why) } : {})}
    >
      {way === 'key' ? (
        <KeyForm label={t.signIn.key} help={t.signIn.keyHelp} submit={t.signIn.submit} />
      ) : (
        // A form of its own, with its own focus, for somebody else.
        <PasswordForm key={own} own={own === null ? null : { login: own, name: note?.person?.name ?? own }} />
      )}
      {own === null ? (
        <Button variant="link" onPress={() => setWay(way === 'key' ? 'password' : 'key')}>
          {way === 'key' ? t.signIn.withPassword : t.signIn.withKey}
        </Button>
      ) : (
        <Button variant="link" onPress={somebodyElse}>
          {t.signIn.somebodyElse}
        </Button>
      )}
    </CardPage>
  );
}

function sentenceFor(why: SignInNote['why']): string {
  switch (why) {
    case 'ended':
      return t.signIn.ended;
    case 'locked':
      return t.signIn.lockedByIdle;
    case 'locked by hand':
      return t.signIn.lockedByHand;
    case 'switched':
      return t.signIn.switched;
  }
}

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

function CodeField(props: { code: string; setCode: (code: string) => void; error: string | null }) {
  return (
    <TextField
      label={t.signIn.code}
      help={t.signIn.codeHelp}
      name="code"
      autoComplete="one-time-code"
      autoFocus
      value={props.code}
      onChange={props.setCode}
      error={props.error}
    />
  );
}

/** Whoever locked the window needs only their password. A code is asked for once the password was right. */
function PasswordForm({ own }: { own: Own | null }) {
  const [typed, setLogin] = useState('');
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const [asksForCode, setAsksForCode] = useState(false);
  const login = own?.login ?? typed.trim();
  const signIn = useMutation({
    mutationFn: () => client.access.login({ body: { login, password, ...(asksForCode ? { code } : {}) } }),
    onError: (error) => {
      if (isRefused(error, 'code_needed')) setAsksForCode(true);
    },
    onSuccess: async () => {
      const personId = await readSession();
      if (personId !== null) windowLogin.set(personId, login);
    },
  });
  return (
    <CredentialForm
      error={asksForCode && code === '' ? null : signIn.error}
      isBusy={signIn.isPending}
      submit={t.signIn.submit}
      onSubmit={() => signIn.mutate()}
    >
      {(mustFill) => (
        <>
          {own ? (
            <OwnLogin own={own} />
          ) : (
            <TextField
              label={t.signIn.login}
              name="login"
              autoComplete="username"
              autoFocus
              value={typed}
              onChange={setLogin}
              error={mustFill && login === '' ? t.signIn.missing : null}
            />
          )}
          <SecretField
            label={t.signIn.password}
            name="password"
            autoComplete="current-password"
            autoFocus={own !== null}
            value={password}
            onChange={setPassword}
            error={mustFill && password === '' ? t.signIn.missing : null}
          />
          {asksForCode && (
            <CodeField
              code={code}
              setCode={setCode}
              error={mustFill && code === '' ? t.signIn.missing : null}
            />
          )}
        </>
      )}
    </CredentialForm>
  );
}

function KeyForm({ label, help, submit }: { label: string; help: string; submit: string }) {
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => client.access.keyLogin({ body: { api_key: key.trim() } }),
    onSuccess: readSession,
  });
  return (
    <CredentialForm
      error={signIn.error}
      isBusy={signIn.isPending}
      submit={submit}
      onSubmit={() => signIn.mutate()}
    >
      {(mustFill) => (
        <SecretField
          label={label}
          help={help}
          name="key"
          autoComplete="off"
          autoFocus
          isMono
          value={key}
          onChange={setKey}
          error={mustFill && key.trim() === '' ? t.signIn.missing : null}
        />
      )}
    </CredentialForm>
  );
}

function CredentialForm(props: {
  error: unknown;
  isBusy: boolean;
  submit: string;
  onSubmit: () => void;
  children: (mustFill: boolean) => ReactNode;
}) {
  const [mustFill, setMustFill] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget).values()];
    const isFilled = values.every((value) => typeof value === 'string' && value.trim() !== '');
    setMustFill(!isFilled);
    if (isFilled && !props.isBusy) props.onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate>
      {props.children(mustFill)}
      {props.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(props.error)}
        </Notice>
      )}
      <Button type="submit" variant="primary" size="big" isPending={props.isBusy}>
        {props.submit}
      </Button>
    </form>
  );
}
