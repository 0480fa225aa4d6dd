import { type FormEvent, type ReactNode, useState } from 'react';
import { sentenceOf } from '../api/sentence.ts';
import { Button } from '../ui/button.tsx';
import { Notice } from '../ui/notice.tsx';

/** A form whose fields must all be filled, with what was wrong with them above its button. */
export function CredentialForm(props: {
  error: unknown;
  isBusy: boolean;
  submit: string;
  onSubmit: () => void;
  /** Another way, below the button. */
  other?: ReactNode;
  children: (mustFill: boolean) => ReactNode;
}) {
  const [mustFill, setMustFill] = useState(false);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const values = [...new FormData(event.currentTarget).values()];
    const isFilled = values.every((value) => typeof value === 'string' && value.trim() !== '');
    setMustFill(!isFilled);
    if (isFilled && !props.isBusy) props.onSubmit();
  };
  return (
    <form onSubmit={submit} noValidate>
      {props.children(mustFill)}
      {props.error !== null && (
        <Notice tone="danger" isLive>
          {sentenceOf(props.error)}
        </Notice>
      )}
      <Button type="submit" variant="primary" size="big" isPending={props.isBusy}>
        {props.submit}
      </Button>
      {props.other}
    </form>
  );
}
