import { useMutation } from '@tanstack/react-query';
import type { MailConfirmOutcome } from '../../../shared/states/intake.ts';
import { type Delivery, deliveriesChanged, intake } from '../../api/intake.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/mail.ts';
import { Button } from '../../ui/button.tsx';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './delivery.module.css';

const words = t.mail;

type Act = MailConfirmOutcome | 'again';

/** Buttons for an e-mail delivery: record its outcome, or send it. Nothing when neither applies. */
export function DeliveryActs({ delivery }: { delivery: Delivery }) {
  const act = useAct(delivery);
  return (
    <>
      <Offered delivery={delivery} act={act} />
      {act.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(act.error)}
        </Notice>
      )}
    </>
  );
}

function useAct({ id, version }: Pick<Delivery, 'id' | 'version'>) {
  return useMutation({
    mutationFn: (act: Act) =>
      act === 'again'
        ? intake.retryDelivery({ params: { id } })
        : intake.confirmDelivery({ params: { id }, body: { outcome: act, version } }),
    onSuccess: (_answer, act) => announce(words.said[act]),
    // A refusal means that the e-mail has changed since it was shown.
    onSettled: deliveriesChanged,
  });
}

function Offered({ delivery, act }: { delivery: Delivery; act: ReturnType<typeof useAct> }) {
  const mayAct = usePermission('settings:write');
  const { state, failures } = delivery;
  if (state === 'uncertain') return <Question mayAnswer={mayAct} act={act} />;
  // One that was not refused yet is sent at once anyway.
  if (state !== 'failed' && (state !== 'received' || failures === 0)) return null;
  if (!mayAct) return state === 'failed' && <p className={styles['quiet']}>{words.mayNotRetry}</p>;
  return (
    <div>
      <Button icon="mail" isPending={act.isPending} onPress={() => act.mutate('again')}>
        {state === 'failed' ? words.sendAgain : words.sendNow}
      </Button>
    </div>
  );
}

/** Asks for the outcome with two equal answers, as only the recipients know it. */
function Question({ mayAnswer, act }: { mayAnswer: boolean; act: ReturnType<typeof useAct> }) {
  const answer = (outcome: MailConfirmOutcome) => (
    <Button
      isPending={act.isPending && act.variables === outcome}
      isDisabled={act.isPending && act.variables !== outcome}
      onPress={() => act.mutate(outcome)}
    >
      {outcome === 'arrived' ? words.arrived : words.notArrived}
    </Button>
  );
  return (
    <Notice tone="warn" icon="question" title={words.question}>
      <p>{mayAnswer ? words.questionSentence : words.mayNotConfirm}</p>
      {mayAnswer && (
        <div className={styles['two']}>
          {answer('arrived')}
          {answer('not_arrived')}
        </div>
      )}
    </Notice>
  );
}
