import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { sentenceOf } from '../../api/sentence.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './my-settings.module.css';

/** Row of a list in My settings with a button that removes it, after a question in its place. */
export function RemovableRow(props: {
  question: string;
  yes: string;
  no: string;
  /** Name of the button, with that of the row. */
  label: string;
  remove: () => Promise<unknown>;
  onRemoved: () => Promise<void>;
  children: ReactNode;
}) {
  const [isAsking, setAsking] = useState(false);
  const remove = useMutation({
    mutationFn: props.remove,
    networkMode: 'always',
    onSuccess: props.onRemoved,
  });
  if (isAsking)
    return (
      <li className={styles['row']}>
        <span className={styles['words']}>
          {remove.error === null ? props.question : sentenceOf(remove.error)}
        </span>
        <Button onPress={() => remove.mutate()}>{props.yes}</Button>
        <Button autoFocus onPress={() => setAsking(false)}>
          {props.no}
        </Button>
      </li>
    );
  return (
    <li className={styles['row']}>
      {props.children}
      <IconButton icon="close" label={props.label} onPress={() => setAsking(true)} />
    </li>
  );
}
