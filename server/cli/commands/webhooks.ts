import type { Command } from 'commander';
import type { z } from 'zod';
import type { AnswerOf } from '../../../shared/api/route.ts';
import type { WebhookDelivery, WebhookEndpoint, webhooksRoutes } from '../../../shared/api/webhooks.ts';
import type { Client } from '../../../shared/client/index.ts';
import {
  WEBHOOK_DELIVERY_STATE_TEXT,
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_EVENTS,
  type WebhookEvent,
} from '../../../shared/states/webhooks.ts';
import { booleanOption, requireChange } from '../boolean-option.ts';
import { action } from '../command.ts';
import { CommandFailure, EXIT } from '../exit-codes.ts';
import { findPerson } from '../find-access.ts';
import { addPagingOptions, appendNextPage, type PageOptions } from '../paging.ts';
import { facts, table, terminal } from '../terminal.ts';

type Endpoint = z.infer<typeof WebhookEndpoint>;
type Delivery = z.infer<typeof WebhookDelivery>;

const WEBHOOK = 'its address or its id';
const EVENTS = WEBHOOK_EVENTS.join(', ');

export function addWebhooksCommands(program: Command): void {
  const webhooks = program
    .command('webhooks')
    .description('Manage webhooks: events that are sent to other programs.');
  addList(webhooks);
  addCreate(webhooks);
  addChange(webhooks);
  addSecret(webhooks);
  addTest(webhooks);
  addRemove(webhooks);
  addDeliveries(webhooks);
  addDelivery(webhooks);
  addSendAgain(webhooks);
}

function addList(webhooks: Command): void {
  webhooks
    .command('list')
    .description('List webhooks, by integration.')
    .action(
      action(async ({ client, answer }) => {
        answer(await (await client()).webhooks.listEndpoints(), ({ items, enabled }) =>
          [
            ...(enabled ? [] : ['Webhooks are off. WEBHOOKS_ENABLED turns them on.']),
            items.length === 0 ? 'No webhooks.' : table(HEAD, items.map(rowOf)),
          ].join('\n'),
        );
      }),
    );
}

const HEAD = ['INTEGRATION', 'ADDRESS', 'EVENTS', 'STATE', 'ID'];

const rowOf = ({ integration, url, events, state, id }: Endpoint): string[] => [
  integration.name,
  url,
  events.length === WEBHOOK_EVENTS.length ? 'all' : events.join(' '),
  state,
  id,
];

interface Fields {
  readonly address?: string;
  readonly event?: string[];
  readonly enabled?: boolean;
}

function addCreate(webhooks: Command): void {
  webhooks
    .command('create')
    .description('Create a webhook of an integration. Its secret is shown once.')
    .argument('<address>', 'the web address that events are sent to')
    .requiredOption('--for <integration>', 'the integration: id or name')
    .option('--event <event...>', `events to send: ${EVENTS}; all if left out`)
    .option('--test', 'for events about faxes of test keys, and no others')
    .addOption(booleanOption('--enabled', 'whether events are sent to it'))
    .action(
      action<Fields & { for: string; test?: true }>(async ({ options, client, answer }, url = '') => {
        const rooms = await client();
        const { item } = await findPerson(rooms, options.for);
        const { enabled, event = WEBHOOK_EVENTS } = options;
        const body = {
          integration_id: item.id,
          url,
          events: event as WebhookEvent[],
          enabled,
          test: options.test,
        };
        answer(await rooms.webhooks.createEndpoint({ body }), describeSecret);
        printSecretNotice();
      }),
    );
}

function addChange(webhooks: Command): void {
  webhooks
    .command('change')
    .description('Change a webhook, or turn it on or off. Anything left out stays the same.')
    .argument('<webhook>', WEBHOOK)
    .option('--address <address>', 'the web address that events are sent to')
    .option('--event <event...>', `events to send: ${EVENTS}`)
    .addOption(booleanOption('--enabled', 'whether events are sent to it'))
    .action(
      action<Fields>(async ({ options, client, answer }, given = '') => {
        const wanted = requireChange({ ...options });
        const rooms = await client();
        const { id, version, ...before } = await findEndpoint(rooms, given);
        const body = {
          url: wanted.address ?? before.url,
          events: (wanted.event as WebhookEvent[] | undefined) ?? before.events,
          enabled: wanted.enabled ?? before.state !== 'off',
          version,
        };
        answer(await rooms.webhooks.changeEndpoint({ params: { id }, body }), describe);
      }),
    );
}

function addSecret(webhooks: Command): void {
  webhooks
    .command('rotate')
    .description('Replace the secret of a webhook. The new one is shown once.')
    .argument('<webhook>', WEBHOOK)
    .option(
      '--overlap-hours <hours>',
      'hours in which the former secret signs as well, 0 to 168; 24 if left out',
    )
    .action(
      action<{ overlapHours?: string }>(async ({ options, client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findEndpoint(rooms, given);
        const hours =
          options.overlapHours === undefined ? {} : { overlap_hours: Number(options.overlapHours) };
        const body = { ...hours, version };
        answer(await rooms.webhooks.replaceSecret({ params: { id }, body }), describeSecret);
        printSecretNotice();
      }),
    );
}

function addTest(webhooks: Command): void {
  webhooks
    .command('test')
    .description('Send a test event to a webhook.')
    .argument('<webhook>', WEBHOOK)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id } = await findEndpoint(rooms, given);
        answer(await rooms.webhooks.testEndpoint({ params: { id } }), describeDelivery);
      }),
    );
}

function addRemove(webhooks: Command): void {
  webhooks
    .command('remove')
    .description('Remove a webhook with its deliveries.')
    .argument('<webhook>', WEBHOOK)
    .action(
      action(async ({ client, answer }, given = '') => {
        const rooms = await client();
        const { id, version } = await findEndpoint(rooms, given);
        answer(
          await rooms.webhooks.removeEndpoint({ params: { id }, body: { version } }),
          ({ url }) => `The webhook ${url} was removed.`,
        );
      }),
    );
}

interface DeliveriesOptions extends PageOptions {
  readonly state?: string;
  readonly webhook?: string;
  readonly subject?: string;
}

function addDeliveries(webhooks: Command): void {
  const list = webhooks
    .command('deliveries')
    .description('List deliveries of the last 7 days, newest first.')
    .option('--state <states>', `one or more of ${WEBHOOK_DELIVERY_STATES.join(', ')}, separated by commas`)
    .option('--webhook <webhook>', `only those of one webhook: ${WEBHOOK}`)
    .option('--subject <id>', 'only those about this fax or work item');
  addPagingOptions(list).action(
    action<DeliveriesOptions>(async ({ options, client, answer }) => {
      const { state, webhook, subject: subject_id, limit, cursor } = options;
      const rooms = await client();
      const endpoint_id = webhook === undefined ? undefined : (await findEndpoint(rooms, webhook)).id;
      const query = { state, endpoint_id, subject_id, limit, cursor };
      answer(await rooms.webhooks.listDeliveries({ query }), (page) =>
        page.items.length === 0
          ? 'No deliveries.'
          : appendNextPage(table(DELIVERIES_HEAD, page.items.map(deliveryRow)), page),
      );
    }),
  );
}

const DELIVERIES_HEAD = ['TIME', 'EVENT', 'FAX OR ITEM', 'STATE', 'ATTEMPTS', 'ID'];

const deliveryRow = ({ occurred_at, type, subject_id, state, attempts, id }: Delivery) => [
  occurred_at,
  type,
  subject_id ?? '-',
  WEBHOOK_DELIVERY_STATE_TEXT[state],
  String(attempts),
  id,
];

function addDelivery(webhooks: Command): void {
  webhooks
    .command('delivery')
    .description('Show a delivery with its attempts.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).webhooks.getDelivery({ params: { id } }), describeDetails);
      }),
    );
}

function addSendAgain(webhooks: Command): void {
  webhooks
    .command('retry')
    .description('Send a delivery again, or a waiting one now.')
    .argument('<id>')
    .action(
      action(async ({ client, answer }, id = '') => {
        answer(await (await client()).webhooks.sendAgain({ params: { id } }), describeDelivery);
      }),
    );
}

async function findEndpoint(rooms: Client, typed: string): Promise<Endpoint> {
  const { items } = await rooms.webhooks.listEndpoints();
  const found = items.filter(({ id, url }) => id === typed || url === typed);
  const [endpoint, second] = found;
  if (!endpoint) throw new CommandFailure(`There is no webhook ${typed}.`, EXIT.notFound);
  if (second)
    throw new CommandFailure(`Several webhooks have the address ${typed}. Use the id instead.`, EXIT.usage);
  return endpoint;
}

function describe(endpoint: Endpoint): string {
  return facts([
    ['Webhook', endpoint.id],
    ['Integration', endpoint.integration.name],
    ['Address', endpoint.url],
    ['Events', endpoint.events.join(', ')],
    ['Faxes', endpoint.test ? 'test faxes only' : 'all but test faxes'],
    ['State', endpoint.state],
    ['Reason', endpoint.paused_reason],
    ['Failing since', endpoint.failing_since],
    ['Last accepted', endpoint.last_accepted_at],
    ['Former secret until', endpoint.former_secret_until],
  ]);
}

const describeSecret = ({ endpoint, secret }: { endpoint: Endpoint; secret: string }) =>
  `${describe(endpoint)}\n${facts([['Secret', secret]])}`;

function printSecretNotice(): void {
  terminal.note('The secret is shown only now.');
}

function describeDelivery(delivery: Delivery): string {
  return facts([
    ['Delivery', delivery.id],
    ['Event', delivery.type],
    ['Fax or work item', delivery.subject_id],
    ['webhook-id', delivery.webhook_id],
    ['State', WEBHOOK_DELIVERY_STATE_TEXT[delivery.state]],
    ['Problem', delivery.sentence],
    ['Attempts', delivery.attempts],
    ['Next attempt', delivery.retry_at],
  ]);
}

function describeDetails(details: AnswerOf<typeof webhooksRoutes.getDelivery>): string {
  const rows = details.attempt_list.map(({ at, status, duration_ms, sentence }) => [
    at,
    status === null ? '-' : String(status),
    `${duration_ms} ms`,
    sentence ?? 'accepted',
  ]);
  const attempts = rows.length === 0 ? [] : [table(['TIME', 'STATUS', 'DURATION', 'RESULT'], rows)];
  return [describeDelivery(details), facts([['Body', details.body]]), ...attempts].join('\n');
}
