import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './entries.module.css';

interface RemovalWords {
  readonly remove: string;
  readonly removeTitle: (name: string) => string;
  readonly removeSentence: string;
  readonly removeYes: string;
  readonly removeNo: string;
}

/** Buttons of an entry, with removal last. Removal asks for confirmation in place of the buttons. */
export function EntryActions(props: {
  name: string;
  words: RemovalWords;
  /** Label of the remove button, with the name. */
  removeLabel: string;
  removing: { mutate: () => void; isPending: boolean };
  children: ReactNode;
}) {
  const { name, words, removeLabel, removing, children } = props;
  const [isAsked, setAsked] = useState(false);
  const asker = useRef<HTMLButtonElement>(null);
  const wasAsked = useRef(false);
  useEffect(() => {
    if (!isAsked && wasAsked.current) asker.current?.focus();
    wasAsked.current = isAsked;
  });
  if (isAsked)
    return <RemoveQuestion name={name} words={words} removing={removing} onKeep={() => setAsked(false)} />;
  return (
    <div className={styles['actions']}>
      {children}
      <Button ref={asker} aria-label={removeLabel} onPress={() => setAsked(true)}>
        {words.remove}
      </Button>
    </div>
  );
}

/** The keyboard stands on what changes nothing. */
function RemoveQuestion(props: {
  name: string;
  words: RemovalWords;
  removing: { mutate: () => void; isPending: boolean };
  onKeep: () => void;
}) {
  const { name, words, removing, onKeep } = props;
  const keep = useRef<HTMLButtonElement>(null);
  useEffect(() => keep.current?.focus(), []);
  return (
    <Notice
      tone="warn"
      isLive
      title={words.removeTitle(name)}
      action={
        <div className={styles['line']}>
          <Button isPending={removing.isPending} onPress={() => removing.mutate()}>
            {words.removeYes}
          </Button>
          <Button ref={keep} onPress={onKeep}>
            {words.removeNo}
          </Button>
        </div>
      }
    >
      {words.removeSentence}
    </Notice>
  );
}
