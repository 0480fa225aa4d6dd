import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { pageToken } from '../api/page-token.ts';
import { isRefused } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SecretField } from '../ui/field.tsx';
import { CardPage } from './card-page.tsx';
import { CredentialForm } from './credential-form.tsx';
import { PasskeyButton, PasswordForm } from './password-form.tsx';
import { readSession } from './session.ts';
import { onlyPerson, type SignInNote, signInNote } from './sign-in-note.ts';

/**
 * Returns true when this installation has no owner yet. A gateway that cannot report it counts as set up. Null while it
 * loads.
 */
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

/** Sign-in of the first owner: automatic in the desktop window, with the installation key in a browser. */
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
  const [note, setNote] = useState(signInNote.get);
  const left = onlyPerson(note);
  const [way, setWay] = useState<'password' | 'key'>(left && left.login === null ? 'key' : 'password');
  const [isAsked, setAsked] = useState(false);
  const navigate = useNavigate();
  const isLocked = note?.why === 'locked' || note?.why === 'locked by hand';
  const somebodyElse = () => {
    signInNote.set(null);
    setAsked(false);
    setNote(null);
    setWay('password');
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
        // A separate form for another person, with its own focus.
        <PasswordForm
          key={left?.id}
          own={left?.login ? { login: left.login, name: left.name } : null}
          onAsked={() => setAsked(true)}
        />
      )}
      {way === 'password' && !isAsked && <PasskeyButton />}
      {left === null ? (
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

function KeyForm({ label, help, submit }: { label: string; help: string; submit: string }) {
  const [key, setKey] = useState('');
  const signIn = useMutation({
    mutationFn: () => client.access.keyLogin({ body: { api_key: key.trim() } }),
    onSuccess: readSession,
  });
  const isWrong = isRefused(signIn.error, 'invalid_credential');
  return (
    <CredentialForm
      error={isWrong ? null : signIn.error}
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
          error={mustFill && key.trim() === '' ? t.signIn.missing : isWrong ? t.signIn.wrongKey : null}
        />
      )}
    </CredentialForm>
  );
}
