import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { SecretField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

const MIN_LENGTH = 12;
const NOTHING = { current: '', next: '', again: '' };

/** Form for the present password, unless it was entered already, and the new one twice. */
export function ChangePasswordForm(props: {
  hasFocus?: boolean;
  current?: string | null;
  className?: string | undefined;
  onChanged: () => Promise<unknown>;
}) {
  const known = props.current ?? null;
  const [typed, setTyped] = useState({ ...NOTHING, current: known ?? '' });
  const [isChecked, setChecked] = useState(false);
  const change = useMutation({
    mutationFn: () =>
      client.access.changePassword({ body: { current_password: typed.current, password: typed.next } }),
    onSuccess: async () => {
      setTyped(NOTHING);
      setChecked(false);
      await props.onChanged();
    },
  });
  const errors = errorsOf(typed);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (Object.values(errors).every((error) => error === null)) change.mutate();
  };
  const field = (name: keyof typeof typed) => ({
    value: typed[name],
    onChange: (value: string) => setTyped({ ...typed, [name]: value }),
    error: isChecked ? errors[name] : null,
    label: t.signIn[name],
  });
  return (
    <form className={props.className} onSubmit={submit} noValidate>
      {known === null && (
        <SecretField
          {...field('current')}
          autoComplete="current-password"
          autoFocus={props.hasFocus === true}
        />
      )}
      <SecretField
        {...field('next')}
        autoComplete="new-password"
        help={t.signIn.nextHelp}
        autoFocus={props.hasFocus === true && known !== null}
      />
      <SecretField {...field('again')} autoComplete="new-password" />
      {change.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(change.error)}
        </Notice>
      )}
      <Button type="submit" variant="primary" size="big" isPending={change.isPending}>
        {t.signIn.change}
      </Button>
    </form>
  );
}

function errorsOf({ current, next, again }: typeof NOTHING) {
  return {
    current: current === '' ? t.signIn.missing : null,
    next: next.length < MIN_LENGTH ? t.signIn.tooShort : null,
    again: again === next ? null : t.signIn.differs,
  };
}
