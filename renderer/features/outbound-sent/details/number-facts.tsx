import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/sent.ts';
import { Button } from '../../../ui/button.tsx';
import { formatWhen, usePhoneFormat } from '../../../ui/format.ts';
import { Notice } from '../../../ui/notice.tsx';
import styles from './fax-details.module.css';
import type { NumberCheck, useNumberCheck } from './use-number-check.ts';

/** Shows the details of the number in the field above. */
export function NumberFacts(props: {
  check: ReturnType<typeof useNumberCheck>;
  onTake: (number: string) => void;
}) {
  const { data, isChecking } = props.check;
  const phone = usePhoneFormat();
  if (props.check.error) return <LoadProblem of={props.check} />;
  if (!data) return <p className={styles['check']}>{isChecking ? t.sent.resend.checking : ''}</p>;
  if (data.to === null) return null;
  const { near } = data;
  return (
    <div className={styles['check']}>
      <p role="status">{[phone(data.to), data.country, numberHistory(data)].filter(Boolean).join(' · ')}</p>
      {near && (
        <Notice
          tone="warn"
          isLive
          action={
            <Button onPress={() => props.onTake(near.to)}>{t.sent.resend.takeNear(phone(near.to))}</Button>
          }
        >
          {t.sent.resend.near(phone(near.to))}
        </Notice>
      )}
    </div>
  );
}

function numberHistory({ internal, first_time, last_success_at }: NumberCheck): string {
  if (internal) return t.sent.resend.ownNumber;
  if (first_time) return t.sent.resend.firstTime;
  return last_success_at === null
    ? t.sent.resend.neverReached
    : t.sent.resend.lastReached(formatWhen(last_success_at));
}
