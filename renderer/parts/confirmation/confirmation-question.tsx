import { useEffect, useRef, useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { BEGIN, takesText } from '../../ui/focus/places.ts';
import { formatDayAndTime } from '../../ui/format.ts';
import { Icon } from '../../ui/icon.tsx';
import type { Fax } from '../fax-state.ts';
import { ANSWERS, type Answer } from './answers.ts';
import { ConfirmationAnswer, type ConfirmationQuestionProps } from './confirmation-answer.tsx';
import styles from './confirmation-question.module.css';

/** Asks for the outcome of a fax that needs confirmation: equal answers, and their source. Sends nothing. */
export function ConfirmationQuestion({
  fax,
  level = 3,
  onAnswered,
  onStale,
}: ConfirmationQuestionProps & { level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [isEarly, setEarly] = useState(false);
  const mayDecide = usePermission('fax:reconcile');
  const isLater = fax.ask_again_at !== null && !isEarly;
  const words = t.fax.confirmation;
  return (
    <section className={styles['ask']} aria-label={words.label} data-later={isLater || undefined}>
      <Heading className={styles['title']}>
        <Icon name={isLater ? 'clock' : 'question'} />
        {words.label}
      </Heading>
      <p>{fax.reconciliation_reason ?? words.unknown}</p>
      {!mayDecide && <p>{words.mayNot}</p>}
      {mayDecide && isLater && <AskedLater fax={fax} onAnswer={() => setEarly(true)} />}
      {mayDecide && !isLater && answer === null && <Answers fax={fax} onChoose={setAnswer} />}
      {mayDecide && !isLater && answer !== null && (
        <ConfirmationAnswer
          fax={fax}
          answer={answer}
          onBack={() => setAnswer(null)}
          onAnswered={(decided) => {
            setAnswer(null);
            setEarly(false);
            onAnswered(decided);
          }}
          onStale={onStale}
        />
      )}
    </section>
  );
}

/** Nobody was reached: the question comes back by itself, or earlier by one press. */
function AskedLater({ fax, onAnswer }: { fax: Fax; onAnswer: () => void }) {
  const words = t.fax.confirmation;
  return (
    <div className={styles['end']}>
      <p>{words.askedAgain(formatDayAndTime(fax.ask_again_at ?? ''))}</p>
      <Button autoFocus onPress={onAnswer}>
        {words.answerNow}
      </Button>
    </div>
  );
}

function Answers({ fax, onChoose }: { fax: Fax; onChoose: (answer: Answer) => void }) {
  const words = t.fax.confirmation;
  const first = useFocus();
  // A single page arrived or did not.
  const answers = ANSWERS.filter(({ answer }) => answer !== 'some' || fax.document.pages > 1);
  useActions(
    words.label,
    answers.map(({ answer, keys, icon }) => ({
      id: `answer-${keys}`,
      label: words.answers[answer],
      icon,
      keys,
      run: () => onChoose(answer),
    })),
  );
  return (
    <>
      <div className={styles['two']} {...BEGIN}>
        {answers.map(({ answer, keys }, index) => (
          <Button
            key={answer}
            size="big"
            keys={keys}
            {...(index === 0 ? { ref: first } : {})}
            onPress={() => onChoose(answer)}
          >
            {words.answers[answer]}
          </Button>
        ))}
      </div>
      <div className={styles['end']}>
        <p className={styles['safe']}>{words.safe}</p>
        <Button variant="link" onPress={() => onChoose('provider id')}>
          {words.providerId}
        </Button>
      </div>
    </>
  );
}

/** Puts the keyboard on the question when it appears, unless the person writes or walks through a list. */
function useFocus() {
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const active = document.activeElement;
    if (!takesText(active) && active?.closest('[role="grid"]') === null) first.current?.focus();
  }, []);
  return first;
}
