import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, type ReactNode, useEffect, useRef } from 'react';
import { t } from '../../texts/house.ts';
import { Button } from '../../ui/button.tsx';
import styles from './setup.module.css';
import { type Step, stepAfter, stepBefore } from './steps.ts';

export interface StepPageProps {
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
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${props.title} · ${t.shell.product}`;
    // A new step is read from its top, unless a field of it asked for the focus.
    if (!document.activeElement || document.activeElement === document.body) heading.current?.focus();
  }, [props.title]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (props.isBusy !== true) props.onSubmit?.();
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <div className={styles['scroll']}>
        <div className={styles['column']}>
          <div>
            <h1 ref={heading} tabIndex={-1} className={styles['title']}>
              {props.title}
            </h1>
            <p className={styles['sentence']}>{props.sentence}</p>
          </div>
          {props.children}
        </div>
      </div>
      <StepFoot {...props} />
    </form>
  );
}

function StepFoot({ step, submit, isBusy, isNeeded, later }: StepPageProps) {
  const navigate = useNavigate();
  const before = stepBefore(step);
  const goTo = useGoTo();
  return (
    <footer className={styles['foot']}>
      <div className={styles['ways']}>
        {before && (
          <Button variant="plain" onPress={() => goTo(before)}>
            {t.setup.back}
          </Button>
        )}
        <span className={styles['gap']} />
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
        {submit !== undefined && (
          <Button type="submit" variant="primary" size="big" keys="enter" isPending={isBusy === true}>
            {submit}
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
