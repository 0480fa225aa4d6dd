import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { client } from '../../api/client.ts';
import { refetchFax, storeFax } from '../../api/outbound.ts';
import { isStatus, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Fax } from '../fax-state.ts';
import { type Answer, decisionOf, type Entered, wordsOf } from './answers.ts';
import styles from './confirmation-question.module.css';

export interface ConfirmationQuestionProps {
  /** A fax in the state `reconciliation_required`. */
  readonly fax: Fax;
  /** The decision is recorded; the fax as it is now. */
  readonly onAnswered: (fax: Fax) => void;
  /** Somebody or something else decided in the meantime: the gateway's sentence. The fax is read again. */
  readonly onStale: (sentence: string) => void;
}

/** Minutes until the question comes back. */
const LATER_MINUTES = [30, 60, 180, 1440] as const;
const USUAL_MINUTES = 60;

/** Second step of the question: the source of the answer in one line, and the button that records it. */
export function ConfirmationAnswer(
  props: ConfirmationQuestionProps & { answer: Answer; onBack: () => void },
) {
  const { fax, answer, onBack } = props;
  const [text, setText] = useState('');
  const [pages, setPages] = useState(() => countText(fax));
  const [minutes, setMinutes] = useState<number>(USUAL_MINUTES);
  const [isChecked, setChecked] = useState(false);
  const record = useRecord(props);
  const words = wordsOf(answer);
  const problem = text.trim() === '' ? words.empty : null;
  const pagesProblem = answer === 'some' ? pageProblem(pages, fax.document.pages) : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    const entered = { text, pages: pages.trim() === '' ? null : Number(pages), minutes };
    if (problem === null && pagesProblem === null && !record.isPending) record.mutate(entered);
  };
  const onKeyDown = (event: { key: string; continuePropagation: () => void }) =>
    event.key === 'Escape' ? onBack() : event.continuePropagation();
  return (
    <form className={styles['answer']} onSubmit={submit} noValidate>
      {words.chosen && <p className={styles['chosen']}>{words.chosen}</p>}
      {answer === 'some' && (
        <TextField
          label={t.fax.confirmation.pagesLabel(formatCount(fax.document.pages))}
          help={t.fax.confirmation.pagesHelp}
          autoFocus
          autoComplete="off"
          inputMode="numeric"
          maxLength={4}
          value={pages}
          onChange={setPages}
          error={isChecked ? pagesProblem : null}
          onKeyDown={onKeyDown}
        />
      )}
      <TextField
        label={words.label}
        help={words.help}
        autoFocus={answer !== 'some'}
        autoComplete="off"
        value={text}
        onChange={setText}
        error={isChecked ? problem : null}
        onKeyDown={onKeyDown}
      />
      {answer === 'not reached' && (
        <Choice
          label={t.fax.confirmation.askAgain}
          options={LATER_MINUTES.map((count) => ({
            id: String(count),
            label: t.fax.confirmation.askAgainIn[count],
          }))}
          value={String(minutes)}
          onChange={(count) => setMinutes(Number(count))}
        />
      )}
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

/** The pages that the provider confirmed, to begin with; empty where it counted none. */
function countText({ attempt, document }: Fax): string {
  const sent = attempt?.pages_sent ?? 0;
  return sent > 0 && sent < document.pages ? String(sent) : '';
}

/** Returns an error for a count that is not one of some pages; null also for an empty field. */
function pageProblem(text: string, all: number): string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const isSome = /^\d{1,4}$/u.test(typed) && Number(typed) > 0 && Number(typed) < all;
  return isSome ? null : t.fax.confirmation.pagesWrong(formatCount(all - 1));
}

/** Records the answer against the version the person looked at. */
function useRecord({ fax, answer, onAnswered, onStale }: ConfirmationQuestionProps & { answer: Answer }) {
  return useMutation({
    mutationFn: (entered: Entered) =>
      client.outbound.reconcileFax({ params: { id: fax.id }, body: decisionOf(answer, fax, entered) }),
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
