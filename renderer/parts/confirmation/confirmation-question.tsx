import { useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { BEGIN } from '../../ui/focus/places.ts';
import { Icon } from '../../ui/icon.tsx';
import { type Answer, ConfirmationAnswer, type ConfirmationQuestionProps } from './confirmation-answer.tsx';
import styles from './confirmation-question.module.css';

/** Asks for the outcome of a fax that needs confirmation: two equal answers, and their source. Sends nothing. */
export function ConfirmationQuestion({ fax, onAnswered, onStale }: ConfirmationQuestionProps) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const mayDecide = usePermission('fax:reconcile');
  return (
    <section className={styles['ask']} aria-label={t.fax.confirmation.label}>
      <h3 className={styles['title']}>
        <Icon name="question" />
        {fax.reconciliation_reason ?? t.fax.confirmation.unknown}
      </h3>
      {!mayDecide && <p>{t.fax.confirmation.mayNot}</p>}
      {mayDecide && answer === null && <Answers onChoose={setAnswer} />}
      {mayDecide && answer !== null && (
        <ConfirmationAnswer
          fax={fax}
          answer={answer}
          onBack={() => setAnswer(null)}
          onAnswered={onAnswered}
          onStale={onStale}
        />
      )}
    </section>
  );
}

function Answers({ onChoose }: { onChoose: (answer: Answer) => void }) {
  const words = t.fax.confirmation;
  useActions(words.label, [
    { id: 'arrived', label: words.arrived, icon: 'check', keys: 'g', run: () => onChoose('arrived') },
    { id: 'missing', label: words.missing, icon: 'close', keys: 'm', run: () => onChoose('missing') },
  ]);
  return (
    <>
      <div className={styles['two']} {...BEGIN}>
        <Button size="big" keys="g" onPress={() => onChoose('arrived')}>
          {words.arrived}
        </Button>
        <Button size="big" keys="m" onPress={() => onChoose('missing')}>
          {words.missing}
        </Button>
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
