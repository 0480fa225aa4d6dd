import { Link } from '@tanstack/react-router';
import type { WebhookDeliveryState } from '../../../../shared/states/webhooks.ts';
import { ListOpening, ListProblem } from '../../../parts/lists/list-state.tsx';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/access-webhooks.ts';
import { Button } from '../../../ui/button.tsx';
import { Fold } from '../../../ui/fold.tsx';
import { formatDayAndTime, formatFully, formatWhen } from '../../../ui/format.ts';
import type { IconName } from '../../../ui/icon.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { StateWord, type Tone } from '../../../ui/state-word.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { useChange } from '../changes/use-change.ts';
import { DetailsSection } from '../details/details.tsx';
import {
  type Delivery,
  useAttempts,
  useWebhookDeliveries,
  type Webhook,
  webhooks,
} from './webhook-queries.ts';
import styles from './webhooks.module.css';

const words = t.webhook;

const SIGNS: Readonly<Record<WebhookDeliveryState, { tone: Tone; icon: IconName }>> = {
  waiting: { tone: 'go', icon: 'pending' },
  delivered: { tone: 'ok', icon: 'ok' },
  failed: { tone: 'danger', icon: 'alert' },
  skipped: { tone: 'plain', icon: 'lock' },
};

/** Lists the messages of a webhook, newest first, each with its attempts. */
export function WebhookDeliveries({ webhook }: { webhook: Webhook }) {
  const list = useWebhookDeliveries(webhook.id);
  return (
    <DetailsSection title={words.deliveries}>
      {list.isOpening ? (
        <ListOpening error={list.error} retry={list.retry} />
      ) : (
        <>
          {list.items.length === 0 && <p className={styles['quiet']}>{words.deliveriesNone}</p>}
          <ul className={styles['deliveries']} aria-label={words.deliveries}>
            {list.items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} isOn={webhook.state === 'on'} />
            ))}
          </ul>
          <ListProblem list={list} />
          {!list.isWhole && (
            <Button isPending={list.isLoadingMore} onPress={() => list.loadTo(list.items.length)}>
              {words.more}
            </Button>
          )}
        </>
      )}
    </DetailsSection>
  );
}

function DeliveryRow({ delivery, isOn }: { delivery: Delivery; isOn: boolean }) {
  const { id, type, state, sentence, attempts, retry_at, occurred_at } = delivery;
  const name = words.eventNames[type];
  const send = state === 'waiting' ? words.sendNow : words.sendAgain;
  const sending = useChange(
    () => webhooks.sendAgain({ params: { id } }),
    () => announce(words.saidAgain),
  );
  return (
    <li className={styles['delivery']} aria-label={name}>
      <div className={styles['line']}>
        <StateWord {...SIGNS[state]} size="body">
          {words.deliveryStates[state]}
        </StateWord>
        <time className={styles['quiet']} dateTime={occurred_at} title={formatFully(occurred_at)}>
          {formatWhen(occurred_at)}
        </time>
      </div>
      <p>{name}</p>
      {sentence !== null && <p className={styles['quiet']}>{sentence}</p>}
      {retry_at !== null && attempts > 0 && (
        <p className={styles['quiet']} title={formatFully(retry_at)}>
          {words.retryAt(formatDayAndTime(retry_at))}
        </p>
      )}
      <div className={styles['line']}>
        <SubjectLink delivery={delivery} />
        {isOn && (
          <Button
            variant="link"
            aria-label={words.sendOf(send, name)}
            isPending={sending.isPending}
            onPress={() => sending.run(undefined)}
          >
            {send}
          </Button>
        )}
      </div>
      <ChangeProblem change={sending} />
      {attempts > 0 && (
        <Fold title={words.attempts(attempts)}>
          <Attempts delivery={delivery} />
        </Fold>
      )}
    </li>
  );
}

/** The way to the fax or work item that an event is about. */
function SubjectLink({ delivery: { type, subject_id: id } }: { delivery: Delivery }) {
  if (id === null) return null;
  if (type === 'inbound.received' || type === 'inbound.original')
    return (
      <Link to="/inbox/{-$receivedId}" params={{ receivedId: id }}>
        {words.openFax}
      </Link>
    );
  if (type === 'work.overdue')
    return (
      <Link to="/work/{-$workId}" params={{ workId: id }}>
        {words.openItem}
      </Link>
    );
  return (
    <Link to="/sent/{-$sentId}" params={{ sentId: id }}>
      {words.openFax}
    </Link>
  );
}

function Attempts({ delivery }: { delivery: Delivery }) {
  const found = useAttempts(delivery);
  return (
    <div className={styles['attempts']}>
      <LoadProblem of={found} />
      {found.data && (
        <ol reversed>
          {found.data.attempt_list.map(({ number, at, status, sentence }) => (
            <li key={number} value={number}>
              <span className={styles['line']}>
                <time dateTime={at}>{formatFully(at)}</time>
                <span className={styles['quiet']}>
                  {status === null ? words.noStatus : words.status(status)}
                </span>
              </span>
              <span>{sentence ?? words.accepted}</span>
            </li>
          ))}
        </ol>
      )}
      <p className={styles['quiet']}>
        {words.webhookId}: <code>{delivery.webhook_id}</code>
      </p>
    </div>
  );
}
