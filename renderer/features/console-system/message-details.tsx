import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Message, messageQuery } from '../../api/mail-to-fax.ts';
import { usePermission } from '../../api/queries.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/mail-to-fax.ts';
import { IconButton } from '../../ui/button.tsx';
import { Fact, FactList } from '../../ui/fact-list.tsx';
import { formatDayAndTime, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { StateWord } from '../../ui/state-word.tsx';
import { MESSAGE_SIGNS } from './message-columns.tsx';
import styles from './system.module.css';

const words = t.mailToFax;

/** Shows one message in full, with the replies to its sender and a link to its fax. */
export function MessageDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const found = useQuery(messageQuery(id));
  const mayOpen = usePermission('fax:read');
  const message = found.data;
  return (
    <section className={styles['delivery']} aria-label={words.details}>
      <div className={styles['line']}>
        {message && <span className={styles['name']}>{message.sender ?? words.noSender}</span>}
        {message?.fax_id && mayOpen && (
          <Link to="/sent/{-$sentId}" params={{ sentId: message.fax_id }}>
            {words.openFax}
          </Link>
        )}
        <span className={styles['gap']} />
        <IconButton icon="close" label={words.close} isSmall onPress={onClose} />
      </div>
      <LoadProblem of={found} />
      {message === null && <p className={styles['quiet']}>{words.gone}</p>}
      {message && <Whole message={message} />}
    </section>
  );
}

function Whole({ message }: { message: Message }) {
  const { state, sentence, sender, principal, retry_at, replies } = message;
  return (
    <>
      <StateWord {...MESSAGE_SIGNS[state]} size="body">
        {words.states[state]}
      </StateWord>
      {sentence !== null && <p>{sentence}</p>}
      {retry_at !== null && (
        <p className={styles['quiet']} title={formatFully(retry_at)}>
          {words.retryAt(formatDayAndTime(retry_at))}
        </p>
      )}
      {sender !== null && principal === null && <p className={styles['quiet']}>{words.notProven}</p>}
      <Facts message={message} />
      {replies.length > 0 && <Replies replies={replies} />}
    </>
  );
}

function Facts({ message }: { message: Message }) {
  const phone = usePhoneFormat();
  const { principal, to_number, recorded_at, message_id } = message;
  return (
    <FactList wordWidth={104}>
      {principal !== null && <Fact name={words.forWhom}>{principal.name}</Fact>}
      {to_number !== null && <Fact name={words.number}>{phone(to_number)}</Fact>}
      <Fact name={words.cameAt}>{formatFully(recorded_at)}</Fact>
      {message_id !== null && (
        <Fact name={words.messageId}>
          <span className={styles['code']}>{message_id}</span>
        </Fact>
      )}
    </FactList>
  );
}

function Replies({ replies }: { replies: Message['replies'] }) {
  return (
    <div role="group" aria-label={words.replies}>
      <p className={styles['name']}>{words.replies}</p>
      <FactList wordWidth={184}>
        {replies.map(({ kind, state, sentence, updated_at }) => (
          <Fact key={kind} name={words.replyKinds[kind]}>
            <span title={formatFully(updated_at)}>
              {words.replyStates[state]}
              {state === 'sent' && `, ${formatWhen(updated_at)}`}
            </span>
            {sentence !== null && <span className={styles['note']}>{sentence}</span>}
          </Fact>
        ))}
      </FactList>
    </div>
  );
}
