import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refetchFax, storeFax } from '../../api/outbound.ts';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Fax } from '../fax-state.ts';
import styles from './confirmation-question.module.css';

export type Answer = 'arrived' | 'missing' | 'provider id';

/** The words of each answer: what was chosen, what must be written down, and what the button does. */
function wordsOf(answer: Answer) {
  const words = t.fax.confirmation;
  const note = { label: words.note, help: words.noteHelp, empty: words.noteMissing };
  switch (answer) {
    case 'arrived':
      return { chosen: words.chosenArrived, ...note, record: words.recordArrived };
    case 'missing':
      return { chosen: words.chosenMissing, ...note, record: words.recordMissing };
    case 'provider id':
      return {
        chosen: null,
        label: words.idLabel,
        help: words.idHelp,
        empty: words.idMissing,
        record: words.askProvider,
      };
  }
}

export interface ConfirmationQuestionProps {
  /** A fax in the state `reconciliation_required`. */
  readonly fax: Fax;
  /** The decision is recorded; the fax as it is now. */
  readonly onAnswered: (fax: Fax) => void;
  /** Somebody or something else decided in the meantime: the gateway's sentence. The fax is read again. */
  readonly onStale: (sentence: string) => void;
}

/** Second step of the question: the source of the answer in one line, and the button that records it. */
export function ConfirmationAnswer(
  props: ConfirmationQuestionProps & { answer: Answer; onBack: () => void },
) {
  const { answer, onBack } = props;
  const [text, setText] = useState('');
  const [isChecked, setChecked] = useState(false);
  const record = useRecord(props);
  const words = wordsOf(answer);
  const isEmpty = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    if (!isEmpty && !record.isPending) record.mutate(text.trim());
  };
  return (
    <form className={styles['answer']} onSubmit={submit} noValidate>
      {words.chosen && <p className={styles['chosen']}>{words.chosen}</p>}
      <TextField
        label={words.label}
        help={words.help}
        autoFocus
        autoComplete="off"
        value={text}
        onChange={setText}
        error={isChecked && isEmpty ? words.empty : null}
        onKeyDown={(event) => (event.key === 'Escape' ? onBack() : event.continuePropagation())}
      />
      {record.error !== null && !isStatus(record.error, 409) && (
        <Notice tone="danger" isLive>
          {sentenceOf(record.error)}
        </Notice>
      )}
      <div className={styles['two']}>
        <Button size="big" onPress={onBack}>
          {t.fax.confirmation.back}
        </Button>
        <Button size="big" type="submit" isPending={record.isPending}>
          {words.record}
        </Button>
      </div>
    </form>
  );
}

/** Records the answer against the version the person looked at. */
function useRecord({ fax, answer, onAnswered, onStale }: ConfirmationQuestionProps & { answer: Answer }) {
  const { delivery_version } = fax;
  return useMutation({
    mutationFn: (text: string) =>
      client.outbound.reconcileFax({
        params: { id: fax.id },
        body:
          answer === 'provider id'
            ? { provider_sid: text, delivery_version }
            : { outcome: answer === 'arrived' ? 'success' : 'failed', note: text, delivery_version },
      }),
    onSuccess: (decided: Fax) => {
      storeFax(decided);
      announce(t.fax.confirmation.recorded);
      onAnswered(decided);
    },
    onError: (error) => {
      if (!isStatus(error, 409)) return;
      onStale(sentenceOf(error));
      refetchFax(fax.id);
    },
  });
}
