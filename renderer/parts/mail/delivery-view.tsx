import type { Delivery } from '../../api/intake.ts';
import { t } from '../../texts/mail.ts';
import { formatDayAndTime, formatFully, formatWhen } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import styles from './delivery.module.css';
import { DeliveryActs } from './delivery-acts.tsx';
import { MAIL_SIGNS, RECIPIENT_SIGNS } from './mail-signs.ts';

const words = t.mail;

/** One e-mail with a fax: how it stands, who of its recipients got it when, and what can be done about it. */
export function DeliveryView({ delivery }: { delivery: Delivery }) {
  const { connector, state, sentence, retry_at, recorded_at, recipients } = delivery;
  return (
    <div className={styles['delivery']} role="group" aria-label={words.ofConnector(connector.name)}>
      <div className={styles['line']}>
        <StateWord {...MAIL_SIGNS[state]} size="body">
          {words.states[state]}
        </StateWord>
        <span className={styles['quiet']} title={words.ofConnector(connector.name)}>
          {connector.name}
        </span>
        <time className={styles['quiet']} dateTime={recorded_at} title={formatFully(recorded_at)}>
          {formatWhen(recorded_at)}
        </time>
      </div>
      {sentence !== null && <p className={styles['sentence']}>{sentence}</p>}
      {retry_at !== null && (
        <p className={styles['quiet']} title={formatFully(retry_at)}>
          {words.retryAt(formatDayAndTime(retry_at))}
        </p>
      )}
      <ul className={styles['recipients']} aria-label={words.recipients}>
        {recipients.map((recipient) => (
          <RecipientRow key={recipient.address} recipient={recipient} of={sentence} />
        ))}
      </ul>
      <DeliveryActs key={delivery.id} delivery={delivery} />
    </div>
  );
}

/** Row of a recipient. `of` is the sentence already shown for the whole e-mail. */
function RecipientRow(props: { recipient: Delivery['recipients'][number]; of: string | null }) {
  const { address, state, sentence, at } = props.recipient;
  return (
    <li>
      <span className={styles['address']}>{address}</span>
      <span className={styles['line']}>
        <StateWord {...RECIPIENT_SIGNS[state]}>{words.recipientStates[state]}</StateWord>
        {at !== null && (
          <time className={styles['quiet']} dateTime={at} title={formatFully(at)}>
            {formatWhen(at)}
          </time>
        )}
      </span>
      {sentence !== null && sentence !== props.of && <p className={styles['quiet']}>{sentence}</p>}
    </li>
  );
}
