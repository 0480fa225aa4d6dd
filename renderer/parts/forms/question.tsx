import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './question.module.css';

/** Asks for confirmation in place before something is removed; the focus is on the button that changes nothing. */
export function Question(props: {
  title: string;
  sentence: string;
  yes: string;
  no: string;
  isPending: boolean;
  /** Reason why it cannot be confirmed now; null when it can. */
  reason: string | null;
  onYes: () => void;
  onNo: () => void;
  /** Reason why it failed. */
  children: ReactNode;
}) {
  const { title, sentence, yes, isPending, reason, onYes, onNo } = props;
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Only the question goes, not the details around it.
    event.stopPropagation();
    onNo();
  };
  return (
    <div className={styles['question']} role="group" aria-label={title} onKeyDown={leave}>
      <Notice tone="warn" isLive title={title}>
        <p>{sentence}</p>
        <div className={styles['two']}>
          <MainButton variant="default" isPending={isPending} reason={reason} onPress={onYes}>
            {yes}
          </MainButton>
          <Button ref={no} onPress={onNo}>
            {props.no}
          </Button>
        </div>
      </Notice>
      {props.children}
    </div>
  );
}
