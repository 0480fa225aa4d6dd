import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../../api/queries.ts';
import { t } from '../../../texts/access-webhooks.ts';
import { Button } from '../../../ui/button.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { formatFully } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { ChangeProblem } from '../changes/change-problem.tsx';
import { Question } from '../changes/question.tsx';
import { useChange } from '../changes/use-change.ts';
import { Details, DetailsFacts, DetailsLine, DetailsSection, DetailsTop } from '../details/details.tsx';
import { shortAddress, WebhookStateWord } from './webhook-columns.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';
import { ChangeWebhookDialog } from './webhook-dialog.tsx';
import { type NewSecret, type Webhook, webhooks } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const words = t.webhook;

interface WebhookDetailsProps {
  readonly webhook: Webhook;
  readonly onSecret: (made: NewSecret) => void;
  readonly onClose: () => void;
}

/** Everything about one webhook, its deliveries, and what can be done with it. */
export function WebhookDetails(props: WebhookDetailsProps) {
  const { webhook, onClose } = props;
  const [doing, setDoing] = useState<'change' | 'secret' | 'remove' | null>(null);
  const close = () => setDoing(null);
  return (
    <Details
      label={words.details}
      title={webhook.integration.name}
      facts={
        <>
          <WebhookStateWord webhook={webhook} />
          <span>{shortAddress(webhook.url)}</span>
        </>
      }
      onClose={onClose}
    >
      <DetailsTop>
        {webhook.test && <Notice tone="plain">{words.testSentence}</Notice>}
        <Trouble webhook={webhook} />
        <WebhookActions webhook={webhook} onDo={setDoing} />
        {doing === 'remove' && <RemoveQuestion {...props} onDone={close} />}
      </DetailsTop>
      <WebhookFacts webhook={webhook} />
      <WebhookDeliveries webhook={webhook} />
      {doing === 'change' && <ChangeWebhookDialog webhook={webhook} onClose={close} />}
      {doing === 'secret' && <SecretDialog {...props} onDone={close} />}
    </Details>
  );
}

function Trouble({ webhook: { state, paused_reason, failing_since } }: { webhook: Webhook }) {
  if (state === 'paused')
    return (
      <Notice tone="danger" title={words.pausedTitle}>
        {words.pausedSentence(paused_reason ?? '')}
      </Notice>
    );
  if (state !== 'on' || failing_since === null) return null;
  return (
    <Notice tone="warn" title={words.failingTitle(formatFully(failing_since))}>
      {words.failingSentence}
    </Notice>
  );
}

function WebhookActions(props: { webhook: Webhook; onDo: (doing: 'change' | 'secret' | 'remove') => void }) {
  const { webhook, onDo } = props;
  const { id, url, events, version, state } = webhook;
  const isOn = state === 'on';
  const turning = useChange(
    () =>
      webhooks.changeEndpoint({
        params: { id },
        body: { url, events: [...events], enabled: !isOn, version },
      }),
    (changed) => announce(changed.state === 'on' ? words.saidOn : words.saidOff),
  );
  const testing = useChange(
    () => webhooks.testEndpoint({ params: { id } }),
    () => announce(words.saidTest),
  );
  return (
    <>
      <DetailsLine>
        <Button onPress={() => onDo('change')}>{words.actions.change}</Button>
        {isOn && (
          <Button isPending={testing.isPending} onPress={() => testing.run(undefined)}>
            {words.actions.test}
          </Button>
        )}
        <Button isPending={turning.isPending} onPress={() => turning.run(undefined)}>
          {isOn ? words.turnOff : words.turnOn}
        </Button>
        <Button onPress={() => onDo('secret')}>{words.actions.secret}</Button>
        <Button onPress={() => onDo('remove')}>{words.actions.remove}</Button>
      </DetailsLine>
      <ChangeProblem change={turning} />
      <ChangeProblem change={testing} />
    </>
  );
}

function RemoveQuestion({ webhook, onClose, onDone }: WebhookDetailsProps & { onDone: () => void }) {
  const removing = useChange(
    () => webhooks.removeEndpoint({ params: { id: webhook.id }, body: { version: webhook.version } }),
    () => {
      announce(words.saidRemoved);
      onClose();
    },
  );
  return (
    <Question
      title={words.removeTitle}
      sentence={words.removeSentence}
      yes={words.removeYes}
      no={words.keep}
      change={removing}
      onYes={() => removing.run(undefined)}
      onNo={onDone}
    />
  );
}

const OVERLAPS = ['24', '168', '0'] as const;

/** A new secret, and how long the former one signs as well. */
function SecretDialog({ webhook, onSecret, onDone }: WebhookDetailsProps & { onDone: () => void }) {
  const [overlap, setOverlap] = useState<(typeof OVERLAPS)[number]>('24');
  const replacing = useChange(
    () =>
      webhooks.replaceSecret({
        params: { id: webhook.id },
        body: { overlap_hours: Number(overlap), version: webhook.version },
      }),
    ({ endpoint, secret }) => {
      onDone();
      onSecret({ id: endpoint.id, secret });
    },
  );
  return (
    <ChangeDialog
      title={words.secretQuestion}
      submit={words.replace}
      change={replacing}
      onSubmit={() => replacing.run(undefined)}
      onClose={onDone}
    >
      <Choice
        label={words.overlap}
        help={words.secretHelp}
        options={OVERLAPS.map((id) => ({ id, label: words.overlaps[id] }))}
        value={overlap}
        onChange={setOverlap}
      />
    </ChangeDialog>
  );
}

function WebhookFacts({ webhook }: { webhook: Webhook }) {
  const maySee = usePermission('users:read');
  const { integration, url, events, last_accepted_at, former_secret_until, created_by_name, created_at } =
    webhook;
  const name = maySee ? (
    <Link to="/access/{-$part}/{-$id}" params={{ part: 'integrations', id: integration.id }}>
      {integration.name}
    </Link>
  ) : (
    integration.name
  );
  return (
    <DetailsSection title={words.facts}>
      <DetailsFacts
        facts={[
          [words.integration, name],
          [words.address, url],
          [words.events, <EventNames key="events" events={events} />],
          [words.columns.accepted, last_accepted_at === null ? words.never : formatFully(last_accepted_at)],
          ...(former_secret_until === null
            ? []
            : [[words.formerUntil, formatFully(former_secret_until)] as const]),
          [words.createdBy, created_by_name],
          [words.created, formatFully(created_at)],
        ]}
      />
    </DetailsSection>
  );
}

function EventNames({ events }: Pick<Webhook, 'events'>) {
  return (
    <ul className={styles['names']}>
      {events.map((event) => (
        <li key={event}>{words.eventNames[event]}</li>
      ))}
    </ul>
  );
}
