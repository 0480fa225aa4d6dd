import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/administration.ts';
import { Notice } from '../../ui/notice.tsx';
import { claim, showSession, type UnclaimedOwner } from './enroll-owner.ts';
import { PasswordFields } from './password-fields.tsx';
import { passwordRules } from './password-rules.ts';
import { StepPage, useGoTo } from './step-page.tsx';

const words = t.setup.owner;

/** The owner is enrolled; the password was refused, or the window was loaded again before it was chosen. */
export function OwnerPassword({ unclaimed }: { unclaimed: UnclaimedOwner }) {
  const { name, login, problem = null } = unclaimed;
  const [password, setPassword] = useState('');
  const [again, setAgain] = useState('');
  const [isChecked, setChecked] = useState(false);
  const goTo = useGoTo();
  const claiming = useMutation({
    mutationFn: () => claim(unclaimed, password),
    onSuccess: async () => {
      await showSession();
      goTo('provider');
    },
  });
  const rules = passwordRules(password, again, login);
  const isRuled = rules.every(({ isMet }) => isMet);
  const failure = claiming.error === null ? problem : sentenceOf(claiming.error);
  return (
    <StepPage
      step="owner"
      title={words.passwordTitle(name)}
      sentence={words.passwordSentence(login)}
      isNeeded
      submit={words.submit}
      isBusy={claiming.isPending}
      onSubmit={() => {
        setChecked(true);
        if (isRuled) claiming.mutate();
      }}
    >
      {failure !== null && (
        <Notice tone="warn" isLive title={failure}>
          {words.kept}
        </Notice>
      )}
      <PasswordFields
        login={login}
        password={password}
        again={again}
        rules={rules}
        isFirst
        error={isChecked && !isRuled ? words.passwordWrong : null}
        onPassword={setPassword}
        onAgain={setAgain}
      />
    </StepPage>
  );
}
