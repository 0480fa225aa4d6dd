import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import type { UpgradeStateAnswer } from '../../../shared/api/upgrade.ts';
import { queryClient } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { beginHere } from '../../ui/focus/keeper.ts';
import { BEGIN, BEGIN_AT_FIELD } from '../../ui/focus/places.ts';
import { Notice } from '../../ui/notice.tsx';
import { earlierClient, earlierQuery } from './earlier-queries.ts';
import { EarlierReport } from './earlier-report.tsx';
import styles from './setup.module.css';
import { useGoTo } from './step-page.tsx';

const words = t.setup.earlier;

/** Moves an installation of an earlier release over: first a look that changes nothing, then the move with its report. */
export function EarlierPage() {
  /** Start of the report that was shown when the move was ordered; null while none is under way. */
  const [moving, setMoving] = useState<{ before: string | null } | null>(null);
  const state = useQuery(earlierQuery(moving !== null));
  useEffect(() => {
    document.title = `${words.title} · ${t.shell.product}`;
    beginHere();
  }, []);
  useEffect(() => {
    if (moving === null || state.data === undefined) return;
    const { report, problem } = state.data;
    if (problem !== null || (report?.finished_at ?? null) !== moving.before) setMoving(null);
  }, [moving, state.data]);
  if (state.data === undefined) return moving === null ? <LoadProblem of={state} /> : <Moving />;
  if (moving !== null) return <Moving />;
  return (
    <Form state={state.data} onMove={() => setMoving({ before: state.data.report?.finished_at ?? null })} />
  );
}

function Moving() {
  return (
    <div className={styles['column']}>
      <h1 className={styles['title']}>{words.movingTitle}</h1>
      <Notice tone="go" isLive>
        {words.movingSentence}
      </Notice>
    </div>
  );
}

/** Location of the earlier installation, as it was typed. */
interface Place {
  readonly database: string;
  readonly files: string;
  readonly environment: string;
}

const NOWHERE: Place = { database: '', files: '', environment: '' };

function Form({ state, onMove }: { state: UpgradeStateAnswer; onMove: () => void }) {
  const [place, setPlace] = useState(NOWHERE);
  /** Location that the last check was about; another one has to be checked first. */
  const [checked, setChecked] = useState<Place | null>(null);
  const [mustFill, setMustFill] = useState(false);
  const body = { ...place, environment: place.environment.trim() || null };
  const check = useMutation({
    mutationFn: () => earlierClient.check({ body }),
    onMutate: () => setChecked(place),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['system', 'upgrade'] }),
  });
  const move = useMutation({ mutationFn: () => earlierClient.start({ body }), onSuccess: onMove });
  const isChecked = state.check !== null && !state.checking && checked === place;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setMustFill(true);
    if (place.database.trim() === '' || place.files.trim() === '' || state.checking) return;
    if (isChecked) move.mutate();
    else check.mutate();
  };
  const error = check.error ?? move.error;
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <div className={styles['scroll']} {...BEGIN_AT_FIELD}>
        <div className={styles['column']}>
          <div>
            <h1 className={styles['title']}>{words.title}</h1>
            <p className={styles['sentence']}>{words.sentence}</p>
          </div>
          {state.report !== null && <EarlierReport title={words.lastTitle} report={state.report} />}
          <PlaceFields place={place} onChange={setPlace} isFixed={state.checking} mustFill={mustFill} />
          <Outcome state={state} problem={error === null ? state.problem : sentenceOf(error)} />
        </div>
      </div>
      <Foot
        mayGoOn={!isChecked || state.can_upgrade}
        submit={isChecked ? words.move : words.check}
        isPending={check.isPending || move.isPending || state.checking}
        onCheckAgain={isChecked ? () => check.mutate() : null}
      />
    </form>
  );
}

function PlaceFields(props: {
  place: Place;
  onChange: (place: Place) => void;
  isFixed: boolean;
  mustFill: boolean;
}) {
  const { place, onChange, isFixed, mustFill } = props;
  const fields = [
    ['database', words.database, words.databaseHelp, true],
    ['files', words.files, words.filesHelp, true],
    ['environment', words.environment, words.environmentHelp, false],
  ] as const;
  return fields.map(([name, label, help, isNeeded]) => (
    <TextField
      key={name}
      label={label}
      help={help}
      isMono
      autoComplete="off"
      value={place[name]}
      isReadOnly={isFixed}
      onChange={(text) => onChange({ ...place, [name]: text })}
      error={mustFill && isNeeded && place[name].trim() === '' ? words.missing : null}
    />
  ));
}

/** Shows the progress of the check, then its result. */
function Outcome({ state, problem }: { state: UpgradeStateAnswer; problem: string | null }) {
  const { checking, progress, check, can_upgrade } = state;
  if (checking)
    return (
      <Notice tone="go" isLive>
        {words.checking(progress)}
      </Notice>
    );
  return (
    <>
      {problem !== null && (
        <Notice tone="danger" isLive>
          {problem}
        </Notice>
      )}
      {check !== null && <EarlierReport title={words.checkTitle} report={check} />}
      {check !== null && !can_upgrade && <Notice tone="warn">{words.notHere}</Notice>}
    </>
  );
}

function Foot(props: {
  mayGoOn: boolean;
  submit: string;
  isPending: boolean;
  onCheckAgain: (() => void) | null;
}) {
  const { mayGoOn, submit, isPending, onCheckAgain } = props;
  const goTo = useGoTo();
  return (
    <footer className={styles['foot']}>
      <div className={styles['ways']}>
        {mayGoOn && (
          <span {...BEGIN}>
            <Button type="submit" variant="primary" size="big" keys="enter" isPending={isPending}>
              {submit}
            </Button>
          </span>
        )}
        {onCheckAgain !== null && (
          <Button variant="plain" onPress={onCheckAgain}>
            {words.checkAgain}
          </Button>
        )}
        <span className={styles['gap']} />
        <Button variant="plain" onPress={() => goTo('owner')}>
          {words.back}
        </Button>
      </div>
    </footer>
  );
}
