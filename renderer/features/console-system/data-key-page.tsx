import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { Question } from '../../parts/forms/question.tsx';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { formatCount, formatFully, formatWhen } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { dataKeyQuery, type KeyState, useReplaceDataKey } from './data-key-queries.ts';
import { Fact, Facts } from './facts.tsx';
import styles from './system.module.css';

const words = t.system.dataKey;

type Replacement = NonNullable<KeyState['replacement']>;

/** Shows the data key by its fingerprint, and replaces it after a question. For owners. */
export function DataKeyPage() {
  const key = useQuery(dataKeyQuery);
  const replacement = key.data?.replacement ?? null;
  const [wasReplaced, setReplaced] = useState(false);
  const progress = useRef<HTMLDivElement>(null);
  const hasBegun = useRef(false);
  useEffect(() => {
    if (replacement === null) return;
    setReplaced(true);
    // The button that began it is gone. It was where the progress is now, so nothing scrolls away.
    if (hasBegun.current) progress.current?.focus({ preventScroll: true });
    hasBegun.current = false;
  }, [replacement]);
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title} />
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <p className={styles['quiet']}>{words.sentence}</p>
          <LoadProblem of={key} />
          {key.data && <KeyFacts state={key.data} />}
          {replacement !== null && (
            <div ref={progress} tabIndex={-1} className={styles['column']}>
              <Progress replacement={replacement} />
            </div>
          )}
          {key.data && replacement === null && (
            <>
              {wasReplaced && <Ended />}
              {key.data.obstacle === null ? (
                <Asked
                  words={words.replacing}
                  leavesUnreadable={false}
                  onDone={() => (hasBegun.current = true)}
                />
              ) : (
                <Notice tone="plain">{key.data.obstacle}</Notice>
              )}
            </>
          )}
        </div>
      </PaneBody>
    </Pane>
  );
}

function KeyFacts({ state: { source, fingerprint, made_at } }: { state: KeyState }) {
  return (
    <Facts title={words.current}>
      <Fact name={words.fingerprint}>
        <span className={styles['code']}>{fingerprint}</span>
      </Fact>
      <Fact name={words.since} title={formatFully(made_at)}>
        {formatWhen(made_at)}
      </Fact>
      <Fact name={words.place}>{words.places[source]}</Fact>
    </Facts>
  );
}

/** Shows how far a replacement is. What opens with neither key can be given up. */
function Progress({ replacement }: { replacement: Replacement }) {
  const { started_at, started_by, pass, resealed, unreadable, problem } = replacement;
  return (
    <>
      {problem === null ? (
        <Notice tone="go" isLive>
          {words.going}
        </Notice>
      ) : (
        <Notice tone="warn" isLive>
          {problem}
        </Notice>
      )}
      <Facts title={words.replacement}>
        <Fact name={words.begun} title={formatFully(started_at)}>
          {words.begunBy(formatWhen(started_at), started_by)}
        </Fact>
        <Fact name={words.pass}>{formatCount(pass)}</Fact>
        <Fact name={words.resealed}>{formatCount(resealed)}</Fact>
        <Fact name={words.unreadable}>{formatCount(unreadable)}</Fact>
      </Facts>
      {problem !== null && unreadable > 0 && (
        <Asked words={words.givingUp} leavesUnreadable onDone={() => undefined} />
      )}
    </>
  );
}

function Ended() {
  return (
    <Notice
      tone="ok"
      isLive
      action={
        <Link to="/system/{-$systemPage}" params={{ systemPage: 'backups' }}>
          {words.toBackups}
        </Link>
      }
    >
      {words.ended}
    </Notice>
  );
}

/** Button with a question in its place before anything happens. */
function Asked(props: {
  readonly words: typeof words.replacing | typeof words.givingUp;
  readonly leavesUnreadable: boolean;
  readonly onDone: () => void;
}) {
  const { label, title, sentence, yes, no } = props.words;
  const [isAsked, setAsked] = useState(false);
  const replacing = useReplaceDataKey(props.leavesUnreadable, () => {
    props.onDone();
    setAsked(false);
  });
  const asker = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!isAsked && wasAsked.current) asker.current?.focus();
    wasAsked.current = isAsked;
  }, [isAsked]);
  const ask = () => {
    replacing.reset();
    setAsked(true);
  };
  if (!isAsked)
    return (
      <div>
        <Button ref={asker} onPress={ask}>
          {label}
        </Button>
      </div>
    );
  return (
    <Question
      {...{ title, sentence, yes, no }}
      isPending={replacing.isPending}
      reason={null}
      onYes={() => replacing.mutate()}
      onNo={() => setAsked(false)}
    >
      {replacing.error !== null && <p role="alert">{sentenceOf(replacing.error)}</p>}
    </Question>
  );
}
