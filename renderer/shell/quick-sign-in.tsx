import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { quickSignIn } from '../api/quick-sign-in.ts';
import { isRefused, isStatus } from '../api/sentence.ts';
import { t } from '../texts/index.ts';
import { Button } from '../ui/button.tsx';
import { SecretField } from '../ui/field.tsx';
import { FAULT } from '../ui/focus/places.ts';
import { PersonMark } from '../ui/person.tsx';
import styles from './card-page.module.css';
import { useCardReader } from './card-reader.ts';
import { CredentialForm } from './credential-form.tsx';
import { readSession } from './session.ts';

export interface QuickPerson {
  readonly id: string;
  readonly login: string;
  readonly name: string;
}

export interface QuickSignIns {
  readonly people: readonly QuickPerson[];
  readonly takesCards: boolean;
}

const NONE: QuickSignIns = { people: [], takesCards: false };

/** Returns the people who can sign in with a PIN in this browser; null while it loads, and none when that fails. */
export function useQuickSignIns(): QuickSignIns | null {
  const asked = useQuery({
    queryKey: ['quick-sign-ins'],
    retry: false,
    queryFn: async ({ signal }): Promise<QuickSignIns> => {
      const { people, takes_cards } = await quickSignIn.listQuickSignIns({ signal });
      return {
        people: people.map(({ id, login, display_name: name }) => ({ id, login, name })),
        takesCards: takes_cards,
      };
    },
  });
  return asked.isPending ? null : (asked.data ?? NONE);
}

/** Signs in with a card that is held to the reader. `before` runs with the id of its person, before they see anything. */
export function useCardSignIn(isOn: boolean, before: (personId: string) => Promise<void>) {
  const signIn = useMutation({
    async mutationFn(card: string) {
      await quickSignIn.cardLogin({ body: { card } });
      await before((await client.access.me()).principal.id);
    },
    onSuccess: readSession,
  });
  // It reads on while a card is checked: to begin again would lose the first keys of the next one.
  const onCard = (card: string) => {
    if (!signIn.isPending) signIn.mutate(card);
  };
  useCardReader(isOn ? onCard : null);
  return signIn;
}

/** Buttons with the names of the people who have a PIN here. */
export function PeopleList(props: {
  people: readonly QuickPerson[];
  onChoose: (person: QuickPerson) => void;
}) {
  return (
    <ul className={styles['people']}>
      {props.people.map((person, at) => (
        <li key={person.id}>
          <Button size="big" autoFocus={at === 0} onPress={() => props.onChoose(person)}>
            <span aria-hidden="true">
              <PersonMark name={person.name} />
            </span>
            {person.name}
          </Button>
        </li>
      ))}
    </ul>
  );
}

/** The PIN of one person. `onPasswordNeeded` runs when the PIN is not enough here; the sentence says why. */
export function PinForm({
  person,
  onPasswordNeeded,
}: {
  person: QuickPerson;
  onPasswordNeeded: (why: unknown) => void;
}) {
  const [pin, setPin] = useState('');
  const signIn = useMutation({
    mutationFn: () => quickSignIn.pinLogin({ body: { person_id: person.id, pin } }),
    onError: (error) => {
      if (isRefused(error, 'pin_not_here', 'pins_used_up')) onPasswordNeeded(error);
      else if (isStatus(error, 400, 401)) setPin('');
    },
    onSuccess: readSession,
  });
  const isWrong = pin === '' && isStatus(signIn.error, 400, 401);
  return (
    <CredentialForm
      error={isWrong ? null : signIn.error}
      isBusy={signIn.isPending}
      submit={t.signIn.submit}
      onSubmit={() => signIn.mutate()}
    >
      {(mustFill) => (
        <>
          <p className={styles['person']}>
            <span aria-hidden="true">
              <PersonMark name={person.name} isLarge />
            </span>
            {person.name}
          </p>
          <div {...(isWrong ? FAULT : {})}>
            <SecretField
              label={t.signIn.pin}
              name="pin"
              autoComplete="off"
              inputMode="numeric"
              autoFocus
              value={pin}
              onChange={setPin}
              error={pin === '' ? (isWrong ? t.signIn.wrongPin : mustFill ? t.signIn.missing : null) : null}
            />
          </div>
        </>
      )}
    </CredentialForm>
  );
}
