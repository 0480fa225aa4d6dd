import type { Ref } from 'react';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { PaneFoot } from '../../ui/pane.tsx';
import { Progress } from '../../ui/progress.tsx';
import styles from './send-screen.module.css';

interface SendFootProps {
  /** Sentence on why it cannot be sent yet; null when it can. */
  readonly reason: string | null;
  /** Sentence on what the button will do. */
  readonly note: string | null;
  readonly isSending: boolean;
  /** Of the upload that is part of sending; null when there is none. */
  readonly uploaded: number | null;
  readonly isEmpty: boolean;
  readonly canUndo: boolean;
  readonly onSend: () => void;
  readonly onClear: () => void;
  readonly onUndo: () => void;
  readonly sendRef: Ref<HTMLButtonElement>;
}

/** The one primary button, with the reason beside it while it is off. */
export function SendFoot(props: SendFootProps) {
  const { reason, note, isSending, uploaded, isEmpty, canUndo } = props;
  return (
    <PaneFoot isForm>
      <Button
        ref={props.sendRef}
        variant="primary"
        size="big"
        keys="mod+enter"
        isDisabled={reason !== null}
        aria-describedby="send-note"
        onPress={props.onSend}
      >
        {t.send.send}
      </Button>
      {canUndo ? (
        <Button variant="plain" size="big" icon="undo" onPress={props.onUndo}>
          {t.send.undo}
        </Button>
      ) : (
        <Button variant="plain" size="big" isDisabled={isEmpty || isSending} onPress={props.onClear}>
          {t.send.clear}
        </Button>
      )}
      <span className={styles['note']} id="send-note">
        {isSending ? t.send.sending : (reason ?? note)}
        {isSending && uploaded !== null && <Progress label={t.send.uploadProgress} part={uploaded} />}
      </span>
    </PaneFoot>
  );
}
