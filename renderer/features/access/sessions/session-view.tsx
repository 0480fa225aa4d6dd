import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { formatFully } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import { Question } from '../changes/question.tsx';
import { Details, DetailsFacts, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { addressWords, deviceWords } from './device-words.ts';
import { type ListedSession, useEndSession } from './session-queries.ts';

const words = t.access.session;

/** Returns the state of a session: active, ended by a person, or expired. */
export function sessionState({ revoked_at, expires_at, current }: ListedSession): {
  tone: Tone;
  icon: IconName;
  word: string;
} {
  if (current) return { tone: 'ok', icon: 'current', word: words.you };
  if (revoked_at !== null) return { tone: 'plain', icon: 'lock', word: words.over };
  if (Date.parse(expires_at) <= Date.now()) return { tone: 'plain', icon: 'clock', word: words.ranOut };
  return { tone: 'ok', icon: 'ok', word: words.live };
}

/** Everything about one session, and its end. */
export function SessionView(props: { session: ListedSession; policyVersion: number; onClose: () => void }) {
  const { session, policyVersion, onClose } = props;
  const { principal, device, address } = session;
  const state = sessionState(session);
  return (
    <Details
      label={words.details}
      title={principal.display_name}
      facts={
        <>
          <StateWord tone={state.tone} icon={state.icon}>
            {state.word}
          </StateWord>
          <span>{`${deviceWords(device)} · ${addressWords(address)}`}</span>
        </>
      }
      onClose={onClose}
    >
      <DetailsTop>
        <Ending session={session} policyVersion={policyVersion} onEnded={onClose} />
      </DetailsTop>
      <DetailsSection title={words.details}>
        <DetailsFacts facts={factsOf(session)} />
        <PersonLink session={session} />
      </DetailsSection>
    </Details>
  );
}

function Ending(props: { session: ListedSession; policyVersion: number; onEnded: () => void }) {
  const { session, policyVersion, onEnded } = props;
  const mayEnd = usePermission('sessions:revoke');
  const [isAsked, setAsked] = useState(false);
  const ending = useEndSession(policyVersion, () => {
    announce(words.saidEnded(session.principal.display_name));
    onEnded();
  });
  if (session.current) return <p>{words.yours}</p>;
  if (isAsked)
    return (
      <Question
        title={words.endTitle(session.principal.display_name)}
        sentence={words.endSentence}
        yes={words.endYes}
        no={words.endNo}
        change={ending}
        onYes={() => ending.run(session.id)}
        onNo={() => setAsked(false)}
      />
    );
  if (!mayEnd || session.revoked_at !== null) return null;
  return (
    <DetailsLine>
      <Button onPress={() => setAsked(true)}>{words.end}</Button>
    </DetailsLine>
  );
}

function factsOf(session: ListedSession): (readonly [string, string])[] {
  const { source_kind, created_at, last_used_at, expires_at, revoked_at, device, address } = session;
  return [
    [words.how, words.sources[source_kind]],
    [words.began, formatFully(created_at)],
    [words.used, formatFully(last_used_at)],
    revoked_at === null ? [words.expires, formatFully(expires_at)] : [words.endedAt, formatFully(revoked_at)],
    [words.address, address === '' ? words.unknownAddress : address],
    ...(device === '' ? [] : ([[words.saidItself, device]] as const)),
  ];
}

function PersonLink({ session: { principal } }: { session: ListedSession }) {
  const maySee = usePermission('users:read');
  if (!maySee || principal.kind === 'bootstrap') return null;
  const part = principal.kind === 'integration' ? 'integrations' : 'people';
  return (
    <Link to="/access/{-$part}/{-$id}" params={{ part, id: principal.id }}>
      {words.openPerson(principal.display_name)}
    </Link>
  );
}
