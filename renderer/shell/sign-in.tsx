import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { client } from '../api/client.ts';
import { pageToken } from '../api/page-token.ts';
import { isRefused, sentenceOf } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SecretField } from '../ui/field.tsx';
import { Notice } from '../ui/notice.tsx';
import styles from './card-page.module.css';
import { CardPage } from './card-page.tsx';
import { CredentialForm } from './credential-form.tsx';
import { PasskeyButton, PasswordForm } from './password-form.tsx';
import { PeopleList, PinForm, type QuickPerson, useCardSignIn, useQuickSignIns } from './quick-sign-in.tsx';
import { readSession } from './session.ts';
import { type LeftPerson, onlyPerson, type SignInNote, signInNote } from './sign-in-note.ts';

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

type Way = 'choose' | 'pin' | 'password' | 'key';

function PersonSignIn() {
  const [note, setNote] = useState(signInNote.get);
  const quick = useQuickSignIns();
  const left = onlyPerson(note);
  const [chosen, setChosen] = useState<QuickPerson | null>(null);
  const [taken, setWay] = useState<Way | null>(null);
  const [isAsked, setAsked] = useState(false);
  const [why, setWhy] = useState<unknown>(null);
  const navigate = useNavigate();
  const card = useCardSignIn(quick?.takesCards === true, async (personId) => {
    // Another person sees nothing of the screen that was left.
    if (left !== null && left.id !== personId) await navigate({ to: '/', replace: true });
  });
  if (quick === null) return null;
  const { people } = quick;
  const withPin = left === null ? chosen : (people.find(({ id }) => id === left.id) ?? null);
  const way = taken ?? firstWay({ left, people });
  const isLocked = note?.why === 'locked' || note?.why === 'locked by hand';
  const own = left ?? chosen;
  const take = (next: Way) => {
    setWhy(null);
    setWay(next);
  };
  const startAgain = (next: Way | null) => {
    setChosen(null);
    setAsked(false);
    setWhy(null);
    setWay(next);
  };
  const somebodyElse = () => {
    signInNote.set(null);
    setNote(null);
    startAgain(null);
    void navigate({ to: '/', replace: true });
  };
  return (
    <CardPage
      title={isLocked ? t.signIn.locked : way === 'choose' ? t.signIn.who : t.signIn.title}
      {...sentenceOfPage(note, way)}
    >
      {way === 'key' && <KeyForm label={t.signIn.key} help={t.signIn.keyHelp} submit={t.signIn.submit} />}
      {way === 'choose' && (
        <PeopleList
          people={people}
          onChoose={(person) => {
            setChosen(person);
            take('pin');
          }}
        />
      )}
      {way === 'pin' && withPin !== null && (
        <PinForm
          key={withPin.id}
          person={withPin}
          onPasswordNeeded={(error) => {
            setWay('password');
            setWhy(error);
          }}
        />
      )}
      {way === 'password' && (
        <>
          {why !== null && (
            <Notice tone="warn" isLive>
              {sentenceOf(why)}
            </Notice>
          )}
          {/* A separate form for another person, with its own focus. */}
          <PasswordForm
            key={own?.id}
            own={own?.login ? { login: own.login, name: own.name } : null}
            onAsked={() => setAsked(true)}
          />
          {!isAsked && <PasskeyButton />}
        </>
      )}
      {quick.takesCards && <p className={styles['quiet']}>{t.signIn.card}</p>}
      {card.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(card.error)}
        </Notice>
      )}
      <OtherWays
        {...{ way, take, startAgain }}
        hasPin={withPin !== null}
        people={people}
        isChosen={chosen !== null}
      >
        {left !== null && (
          <Button variant="link" onPress={somebodyElse}>
            {t.signIn.somebodyElse}
          </Button>
        )}
      </OtherWays>
    </CardPage>
  );
}

/** Returns the way that is offered first. */
function firstWay({ left, people }: { left: LeftPerson | null; people: readonly QuickPerson[] }): Way {
  if (left === null) return people.length > 0 ? 'choose' : 'password';
  if (left.login === null) return 'key';
  return people.some(({ id }) => id === left.id) ? 'pin' : 'password';
}

function sentenceOfPage(note: SignInNote | null, way: Way): { sentence?: string } {
  const sentences = [note && sentenceFor(note.why), way === 'choose' && t.signIn.whoSentence];
  const sentence = sentences.filter(Boolean).join(' ');
  return sentence === '' ? {} : { sentence };
}

/** Links to the ways that are not taken. `children` is what a page for one person has in place of those for all. */
function OtherWays(props: {
  way: Way;
  take: (way: Way) => void;
  startAgain: (way: Way | null) => void;
  hasPin: boolean;
  people: readonly QuickPerson[];
  isChosen: boolean;
  children: ReactNode;
}) {
  const { way, take, startAgain, hasPin, people, isChosen, children } = props;
  const isForOne = Boolean(children);
  const link = (word: string, act: () => void) => (
    <Button variant="link" onPress={act}>
      {word}
    </Button>
  );
  return (
    <>
      {way === 'pin' && link(t.signIn.usePassword, () => take('password'))}
      {way === 'password' && hasPin && link(t.signIn.usePin, () => take('pin'))}
      {way === 'choose' && link(t.signIn.somebodyElse, () => startAgain('password'))}
      {!isForOne &&
        people.length > 0 &&
        (isChosen || way === 'password') &&
        link(t.signIn.notMe, () => startAgain(null))}
      {!isForOne && way === 'key' && link(t.signIn.withPassword, () => startAgain('password'))}
      {!isForOne && way === 'password' && !isChosen && link(t.signIn.withKey, () => take('key'))}
      {children}
    </>
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
