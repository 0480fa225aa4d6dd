import { useState } from 'react';
import { LIMITS } from '../../../../shared/limits.ts';
import { WEBHOOK_EVENTS, type WebhookEvent } from '../../../../shared/states/webhooks.ts';
import { t } from '../../../texts/access-webhooks.ts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Choice } from '../../../ui/choice.tsx';
import { TextField } from '../../../ui/field.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { ChangeDialog } from '../changes/change-dialog.tsx';
import { useChange } from '../changes/use-change.ts';
import { type NewSecret, useIntegrations, type Webhook, webhooks } from './webhook-queries.ts';
import styles from './webhooks.module.css';

const words = t.webhook;

/** Creates a webhook: its integration, address and events. `onMade` receives the secret, which is shown once. */
export function NewWebhookDialog(props: { onClose: () => void; onMade: (made: NewSecret) => void }) {
  const { onClose, onMade } = props;
  const integrations = useIntegrations();
  const [integration, setIntegration] = useState<string | null>(null);
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState<readonly WebhookEvent[]>(WEBHOOK_EVENTS);
  const [isTest, setTest] = useState(false);
  const change = useChange(
    (integration_id: string) =>
      webhooks.createEndpoint({
        body: { integration_id, url: url.trim(), events: [...events], test: isTest },
      }),
    ({ endpoint, secret }) => {
      announce(words.saidCreated);
      onMade({ id: endpoint.id, secret });
    },
  );
  return (
    <ChangeDialog
      title={words.newTitle}
      submit={words.create}
      change={change}
      missing={integration === null ? words.missing.integration : missingIn(url, events)}
      onSubmit={() => integration !== null && change.run(integration)}
      onClose={onClose}
    >
      <Choice
        label={words.integration}
        help={integrations?.length === 0 ? words.noIntegrations : words.integrationHelp}
        options={(integrations ?? []).map(({ id, name }) => ({ id, label: name }))}
        value={integration}
        placeholder={words.integrationHint}
        onChange={setIntegration}
      />
      <AddressField url={url} onChange={setUrl} />
      <EventsField events={events} onChange={setEvents} />
      <div className={styles['events']}>
        <Checkbox isSelected={isTest} onChange={setTest}>
          {words.test}
        </Checkbox>
        <p className={styles['quiet']}>{words.testHelp}</p>
      </div>
    </ChangeDialog>
  );
}

/** Changes address and events of a webhook. */
export function ChangeWebhookDialog({ webhook, onClose }: { webhook: Webhook; onClose: () => void }) {
  const [url, setUrl] = useState(webhook.url);
  const [events, setEvents] = useState<readonly WebhookEvent[]>(webhook.events);
  const change = useChange(
    () =>
      webhooks.changeEndpoint({
        params: { id: webhook.id },
        body: {
          url: url.trim(),
          events: [...events],
          enabled: webhook.state !== 'off',
          version: webhook.version,
        },
      }),
    () => {
      announce(words.saidChanged);
      onClose();
    },
  );
  return (
    <ChangeDialog
      title={words.changeTitle}
      submit={words.save}
      change={change}
      missing={missingIn(url, events)}
      onSubmit={() => change.run(undefined)}
      onClose={onClose}
    >
      <AddressField url={url} isFirst onChange={setUrl} />
      <EventsField events={events} onChange={setEvents} />
    </ChangeDialog>
  );
}

/** Returns the sentence about the missing field, or null when none is missing. */
function missingIn(url: string, events: readonly WebhookEvent[]): string | null {
  if (url.trim() === '') return words.missing.address;
  return events.length === 0 ? words.missing.events : null;
}

function AddressField(props: { url: string; isFirst?: boolean; onChange: (url: string) => void }) {
  return (
    <TextField
      label={words.address}
      help={words.addressHelp}
      value={props.url}
      maxLength={LIMITS.webhooks.url}
      type="url"
      autoFocus={props.isFirst ?? false}
      autoComplete="off"
      onChange={props.onChange}
    />
  );
}

function EventsField(props: {
  events: readonly WebhookEvent[];
  onChange: (events: readonly WebhookEvent[]) => void;
}) {
  const { events, onChange } = props;
  return (
    <div className={styles['events']} role="group" aria-label={words.events}>
      <p className={styles['label']}>{words.events}</p>
      {WEBHOOK_EVENTS.map((event) => (
        <Checkbox
          key={event}
          isSelected={events.includes(event)}
          onChange={(isOn) =>
            onChange(WEBHOOK_EVENTS.filter((it) => (it === event ? isOn : events.includes(it))))
          }
        >
          {words.eventNames[event]}
        </Checkbox>
      ))}
    </div>
  );
}
