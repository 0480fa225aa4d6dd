import { type KeyboardEvent, useEffect, useRef } from 'react';
import { t } from '../../../texts/access.ts';
import { Button } from '../../../ui/button.tsx';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ChangeProblem } from './change-problem.tsx';
import styles from './changes.module.css';
import type { Change } from './use-change.ts';

/** Asks for confirmation in place before something is removed; the focus is on the button that changes nothing. */
export function Question(props: {
  title: string;
  sentence: string;
  yes: string;
  no?: string;
  change: Pick<Change<never>, 'error' | 'isStale' | 'reload' | 'isPending'>;
  onYes: () => void;
  onNo: () => void;
}) {
  const { change } = props;
  const no = useRef<HTMLButtonElement>(null);
  useEffect(() => no.current?.focus(), []);
  const leave = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Only the question goes, not the details around it.
    event.stopPropagation();
    props.onNo();
  };
  return (
    <div className={styles['question']} role="group" aria-label={props.title} onKeyDown={leave}>
      <Notice tone="warn" isLive title={props.title}>
        <p>{props.sentence}</p>
        <div className={styles['two']}>
          <MainButton
            variant="default"
            isPending={change.isPending}
            reason={change.isStale ? t.access.change.reloadFirst : null}
            onPress={props.onYes}
          >
            {props.yes}
          </MainButton>
          <Button ref={no} onPress={props.onNo}>
            {props.no ?? t.access.change.cancel}
          </Button>
        </div>
      </Notice>
      <ChangeProblem change={change} />
    </div>
  );
}
