import type { UseMutationResult } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './proof-form.module.css';

/** Form for a password or a code; shows its error beside the button. */
export function ProofForm(props: {
  change: Pick<UseMutationResult<unknown, unknown, void>, 'mutate' | 'error' | 'isPending'>;
  isFilled: boolean;
  submit: string;
  /** Another way to confirm, beside the button. */
  other?: ReactNode;
  /** Draws the fields. `missing` is the message for an empty field, after a press of the button; else null. */
  children: (missing: string | null) => ReactNode;
}) {
  const { change, isFilled } = props;
  const [isChecked, setChecked] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (isFilled && !change.isPending) change.mutate();
  };
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      {props.children(isChecked && !isFilled ? t.signIn.missing : null)}
      {change.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(change.error)}
        </Notice>
      )}
      <div className={styles['buttons']}>
        <Button type="submit" variant="primary" isPending={change.isPending}>
          {props.submit}
        </Button>
        {props.other}
      </div>
    </form>
  );
}
