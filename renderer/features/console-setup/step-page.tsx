import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect } from 'react';
import { t } from '../../texts/administration.ts';
import { Button } from '../../ui/button.tsx';
import { holdKeys, releaseKeys } from '../../ui/focus/held-keys.ts';
import { beginHere, isBeginAwaited } from '../../ui/focus/keeper.ts';
import { BEGIN, BEGIN_AT_FIELD } from '../../ui/focus/places.ts';
import styles from './setup.module.css';
import { type Step, stepAfter, stepBefore } from './steps.ts';

interface StepPageProps {
  readonly step: Step;
  readonly title: string;
  readonly sentence: string;
  /** The word on the primary button; without it there is none. */
  readonly submit?: string;
  readonly onSubmit?: () => void;
  readonly isBusy?: boolean;
  /** The step cannot be put off. */
  readonly isNeeded?: boolean;
  /** The word on the button that leaves the step as it is; null for none. */
  readonly later?: string | null;
  readonly children: ReactNode;
}

/** One step: its question, its answers, and the ways on, back and past it. Enter goes on. */
export function StepPage(props: StepPageProps) {
  const { isBusy = false } = props;
  useEffect(() => {
    document.title = `${props.title} · ${t.shell.product}`;
  }, [props.title]);
  // Enter in its first field continues, like its button.
  useEffect(beginHere, []);
  useEffect(() => {
    if (!isBusy) return;
    // Keys typed while a step is stored belong to the next one.
    holdKeys();
    return () => {
      if (!isBeginAwaited()) releaseKeys();
    };
  }, [isBusy]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (props.isBusy !== true) props.onSubmit?.();
  };
  return (
    <form className={styles['form']} onSubmit={submit} onKeyDownCapture={submitChoice} noValidate>
      <div className={styles['scroll']} {...BEGIN_AT_FIELD}>
        <div className={styles['column']}>
          <div>
            <h1 className={styles['title']}>{props.title}</h1>
            <p className={styles['sentence']}>{props.sentence}</p>
          </div>
          {props.children}
        </div>
      </div>
      <StepFoot {...props} />
    </form>
  );
}

/** Enter on a choice goes on as in a line of text: by itself it would only choose. */
function submitChoice(event: KeyboardEvent<HTMLFormElement>): void {
  const isChoice =
    event.target instanceof HTMLInputElement && ['radio', 'checkbox'].includes(event.target.type);
  if (event.key !== 'Enter' || !isChoice) return;
  event.preventDefault();
  event.stopPropagation();
  event.currentTarget.requestSubmit();
}

function StepFoot({ step, submit, isBusy, isNeeded, later }: StepPageProps) {
  const navigate = useNavigate();
  const before = stepBefore(step);
  const goTo = useGoTo();
  return (
    <footer className={styles['foot']}>
      <div className={styles['ways']}>
        {submit !== undefined && (
          <span {...BEGIN}>
            <Button type="submit" variant="primary" size="big" keys="enter" isPending={isBusy === true}>
              {submit}
            </Button>
          </span>
        )}
        {!isNeeded && later !== null && (
          <Button
            variant="plain"
            onPress={() => {
              const after = stepAfter(step);
              if (after) goTo(after);
              else void navigate({ to: '/send' });
            }}
          >
            {later ?? t.setup.later}
          </Button>
        )}
        <span className={styles['gap']} />
        {before && (
          <Button variant="plain" onPress={() => goTo(before)}>
            {t.setup.back}
          </Button>
        )}
      </div>
    </footer>
  );
}

/** Opens another step. */
export function useGoTo(): (step: Step) => void {
  const navigate = useNavigate();
  return (step) => void navigate({ to: '/setup/{-$step}', params: { step } });
}
