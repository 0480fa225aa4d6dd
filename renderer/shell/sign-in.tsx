import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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
import {
  PeopleList,
  PinForm,
  type QuickPerson,
  type QuickSignIns,
  useCardSignIn,
  useQuickSignIns,
} from './quick-sign-in.tsx';
import { showQuietTray } from './quiet-tray.ts';
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
  // The page may have been loaded again since a person was signed in.
  useEffect(showQuietTray, []);
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
    <CardPage title={t.signIn.welcome} sentence={t.signIn.welcomeSentence} helpPage="first-hour">
      <KeyForm label={t.signIn.installationKey} help={t.signIn.installationKeyHelp} submit={t.signIn.begin} />
    </CardPage>
  );
}

type Way = 'choose' | 'pin' | 'password' | 'key';

/** State of the page: the person it is for, the way that is taken, and why the password is needed after all. */
function useWays(people: readonly QuickPerson[]) {
  const [note, setNote] = useState(signInNote.get);
  const [chosen, setChosen] = useState<QuickPerson | null>(null);
  const [taken, setWay] = useState<Way | null>(null);
  const [why, setWhy] = useState<unknown>(null);
  const [isAsked, setAsked] = useState(false);
  const left = onlyPerson(note);
  return {
    note,
    left,
    chosen,
    way: taken ?? firstWay({ left, people }),
    why,
    isAsked,
    withPin: left === null ? chosen : (people.find(({ id }) => id === left.id) ?? null),
    setAsked,
    take(next: Way, reason: unknown = null) {
      setWhy(reason);
      setWay(next);
    },
    choose(person: QuickPerson) {
      setChosen(person);
      setWhy(null);
      setWay('pin');
    },
    /** Also for another person than the page was for. */
    startAgain(next: Way | null) {
      signInNote.set(null);
      setNote(null);
      setChosen(null);
      setAsked(false);
      setWhy(null);
      setWay(next);
    },
  };
}

function PersonSignIn() {
  const quick = useQuickSignIns();
  // Documents that came before are offered to the person with a question.
  useEffect(() => void window.faxdesk?.beginSignIn?.(), []);
  return quick === null ? null : <SignInPage {...quick} />;
}

function SignInPage({ people, takesCards }: QuickSignIns) {
  const ways = useWays(people);
  const { note, left, way } = ways;
  const navigate = useNavigate();
  const card = useCardSignIn(takesCards, async (personId) => {
    // Another person sees nothing of the screen that was left.
    if (left !== null && left.id !== personId) await navigate({ to: '/', replace: true });
  });
  const somebodyElse = () => {
    ways.startAgain(null);
    void navigate({ to: '/', replace: true });
  };
  const isLocked = note?.why === 'locked' || note?.why === 'locked by hand';
  return (
    <CardPage
      title={isLocked ? t.signIn.locked : way === 'choose' ? t.signIn.who : t.signIn.title}
      {...sentenceOfPage(note, way)}
    >
      {/* The number of a card was typed into the field as well. */}
      <WayForm key={card.submittedAt} people={people} ways={ways} />
      {takesCards && <p className={styles['quiet']}>{t.signIn.card}</p>}
      {card.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(card.error)}
        </Notice>
      )}
      <OtherWays people={people} ways={ways} />
      {left !== null && (
        <Button variant="link" onPress={somebodyElse}>
          {t.signIn.somebodyElse}
        </Button>
      )}
    </CardPage>
  );
}

type Ways = ReturnType<typeof useWays>;

/** The form of the way that is taken. */
function WayForm({ people, ways }: { people: readonly QuickPerson[]; ways: Ways }) {
  const { way, withPin, left, chosen, why, isAsked, choose, take, setAsked } = ways;
  if (way === 'key') return <KeyForm label={t.signIn.key} help={t.signIn.keyHelp} submit={t.signIn.submit} />;
  if (way === 'choose') return <PeopleList people={people} onChoose={choose} />;
  if (way === 'pin')
    return withPin && <PinForm person={withPin} onPasswordNeeded={(error) => take('password', error)} />;
  const own = left ?? chosen;
  return (
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

/** Links to the ways that are not taken. */
function OtherWays({ people, ways }: { people: readonly QuickPerson[]; ways: Ways }) {
  const { way, withPin, left, chosen, take, startAgain } = ways;
  const isForAll = left === null;
  const links = [
    [t.signIn.usePassword, way === 'pin', () => take('password')],
    [t.signIn.usePin, way === 'password' && withPin !== null, () => take('pin')],
    [t.signIn.somebodyElse, way === 'choose', () => startAgain('password')],
    [t.signIn.notMe, isForAll && people.length > 0 && way !== 'choose', () => startAgain(null)],
    [t.signIn.withPassword, isForAll && way === 'key', () => startAgain('password')],
    [t.signIn.withKey, isForAll && way === 'password' && chosen === null, () => take('key')],
  ] as const;
  return links
    .filter(([, isOffered]) => isOffered)
    .map(([word, , act]) => (
      <Button key={word} variant="link" onPress={act}>
        {word}
      </Button>
    ));
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
