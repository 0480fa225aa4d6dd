import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { LIMITS } from '../../../shared/limits.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { isLoginName, loginFor } from '../../parts/sign-in/login-name.ts';
import { t } from '../../texts/administration.ts';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import {
  claim,
  enrollOwner,
  forgetUnclaimed,
  readInterruptedEnrollment,
  showSession,
  type UnclaimedOwner,
} from './enroll-owner.ts';
import { PasswordFields } from './password-fields.tsx';
import { passwordRules } from './password-rules.ts';
import styles from './setup.module.css';
import { StepPage, useGoTo } from './step-page.tsx';

const words = t.setup.owner;

interface Person {
  readonly name: string;
  /** Null while it follows the name. */
  readonly login: string | null;
  readonly password: string;
  readonly again: string;
}

const NOBODY: Person = { name: '', login: null, password: '', again: '' };

/** Name, sign-in name and password in one form; enrolling, signing in and choosing the password in one go. */
export function NewOwner(props: { isAgain: boolean; onUnclaimed: (left: UnclaimedOwner) => void }) {
  const [person, setPerson] = useState(NOBODY);
  const [isChecked, setChecked] = useState(false);
  const enrolment = useEnrollment(props.onUnclaimed);
  const login = (person.login ?? loginFor(person.name)).trim();
  const rules = passwordRules(person.password, person.again, login);
  const problems = isChecked ? fieldProblems(person.name, login) : { name: null, login: null };
  const isRuled = rules.every(({ isMet }) => isMet);
  const change = (part: Partial<Person>) => setPerson((before) => ({ ...before, ...part }));
  const submit = () => {
    setChecked(true);
    const found = fieldProblems(person.name, login);
    if (found.name ?? found.login) return;
    if (isRuled) enrolment.mutate({ name: person.name.trim(), login, password: person.password });
  };
  return (
    <StepPage
      step="owner"
      title={words.title}
      sentence={props.isAgain ? words.retrySentence : words.sentence}
      isNeeded
      submit={words.submit}
      onSubmit={submit}
      isBusy={enrolment.isPending}
    >
      <PersonFields name={person.name} login={login} problems={problems} onChange={change} />
      <PasswordFields
        login={login}
        password={person.password}
        again={person.again}
        rules={rules}
        error={isChecked && !isRuled ? words.passwordWrong : null}
        onPassword={(password) => change({ password })}
        onAgain={(again) => change({ again })}
      />
      {enrolment.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(enrolment.error)}
        </Notice>
      )}
    </StepPage>
  );
}

function PersonFields(props: {
  name: string;
  login: string;
  problems: { name: string | null; login: string | null };
  onChange: (part: { name: string } | { login: string }) => void;
}) {
  return (
    <div className={styles['two']}>
      <TextField
        label={words.displayName}
        help={words.displayNameHelp}
        autoFocus
        autoComplete="name"
        maxLength={LIMITS.displayNameLength}
        value={props.name}
        onChange={(name) => props.onChange({ name })}
        error={props.problems.name}
      />
      <TextField
        label={words.login}
        help={words.loginHelp}
        autoComplete="username"
        spellCheck="false"
        maxLength={LIMITS.loginLength}
        value={props.login}
        onChange={(login) => props.onChange({ login })}
        error={props.problems.login}
      />
    </div>
  );
}

function fieldProblems(name: string, login: string): { name: string | null; login: string | null } {
  const loginProblem = login === '' ? words.loginMissing : words.loginWrong;
  return {
    name: name.trim() === '' ? words.nameMissing : null,
    login: isLoginName(login) ? null : loginProblem,
  };
}

/**
 * Returns the enrolment of an owner. If the owner was enrolled and only the password failed, only the password is
 * requested again.
 */
function useEnrollment(onUnclaimed: (left: UnclaimedOwner) => void) {
  const goTo = useGoTo();
  return useMutation({
    mutationFn: async (person: { name: string; login: string; password: string }) => {
      const unclaimed = await enrollOwner(person);
      await claim(unclaimed, person.password);
    },
    onSuccess: async () => {
      await showSession();
      goTo('provider');
    },
    onError: async (error) => {
      const left = readInterruptedEnrollment();
      if (left) onUnclaimed({ ...left, problem: sentenceOf(error) });
      if (await isSettled()) goTo('provider');
    },
  });
}

/** The answer alone may have been lost: then the session is the owner's already. */
async function isSettled(): Promise<boolean> {
  const me = await showSession();
  const isOwner = me?.principal.kind === 'user' && !me.password_change_required;
  if (isOwner) forgetUnclaimed();
  return isOwner;
}
