import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import {
  WEBHOOK_DELIVERY_STATES,
  WEBHOOK_ENDPOINT_STATES,
  WEBHOOK_EVENTS,
  WEBHOOK_TYPES,
} from '../states/webhooks.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import {
  Cursor,
  Id,
  IdList,
  IdParams,
  ListLimit,
  OptionalTime,
  pageOf,
  queryList,
  Time,
  Version,
} from './values.ts';

const room = 'webhooks';
const badBody = 'sentence';
const LIMIT = LIMITS.webhooks;

const Url = z
  .string()
  .trim()
  .min(1)
  .max(LIMIT.url)
  .regex(VISIBLE_LINE, VISIBLE_RULE)
  .describe('web address that begins with https://; private addresses only if WEBHOOKS_ALLOW_PRIVATE is on');
const Events = z.array(z.enum(WEBHOOK_EVENTS)).min(1).max(WEBHOOK_EVENTS.length);
const Enabled = z.boolean().default(true).describe('false keeps the endpoint without sending anything to it');

export const WebhookEndpoint = z
  .strictObject({
    id: Id.describe('id of the endpoint'),
    integration: z
      .strictObject({
        id: Id.describe('id of the integration'),
        name: z.string().describe('name of the integration'),
      })
      .describe(
        'integration whose faxes are announced: those that it may see, checked again for each delivery',
      ),
    url: z.string().describe('web address that the events are sent to'),
    events: Events.describe('events that are sent'),
    test: z.boolean().describe('true: it is sent events about faxes of test keys, and no others'),
    state: z
      .enum(WEBHOOK_ENDPOINT_STATES)
      .describe('`paused` after days of failures, until it is turned on again'),
    paused_reason: z.string().nullable().describe('reason why it was paused, as a sentence'),
    failing_since: OptionalTime.describe('time of the first failed attempt since the last accepted one'),
    last_accepted_at: OptionalTime.describe('time when the endpoint last accepted a delivery'),
    former_secret_until: OptionalTime.describe('until then messages are also signed with the former secret'),
    version: Version.describe('grows with every change'),
    created_by_name: z.string().describe('name of the person who created it'),
    created_at: Time.describe('time when it was created'),
    updated_at: Time.describe('time of the last change'),
  })
  .meta({ id: 'WebhookEndpoint' });

const EndpointWithSecret = z
  .strictObject({
    endpoint: WebhookEndpoint.describe('endpoint after the change'),
    secret: z.string().describe('secret that signs the messages; it is returned only this once'),
  })
  .meta({ id: 'WebhookEndpointWithSecret' });

export const WebhookDelivery = z
  .strictObject({
    id: Id.describe('id of the delivery'),
    endpoint_id: Id.describe('id of the endpoint'),
    webhook_id: z
      .string()
      .describe('value of the header `webhook-id`; stays the same whenever it is sent again'),
    type: z.enum(WEBHOOK_TYPES).describe('event that it announces'),
    subject_id: Id.nullable().describe('id of the fax or work item; null for a test'),
    state: z.enum(WEBHOOK_DELIVERY_STATES).describe('state of the delivery'),
    sentence: z.string().nullable().describe('reason why it was not accepted, as a sentence'),
    attempts: z.int().min(0).describe('number of attempts'),
    retry_at: OptionalTime.describe('time of the next attempt'),
    version: Version.describe('grows with every change'),
    occurred_at: Time.describe('time of the event'),
    updated_at: Time.describe('time of the last change'),
  })
  .meta({ id: 'WebhookDelivery' });

const WebhookAttempt = z
  .strictObject({
    number: z.int().min(1).describe('number of the attempt, counted from 1'),
    at: Time.describe('time of the attempt'),
    duration_ms: z.int().min(0).describe('time until the answer or the failure, in milliseconds'),
    status: z.int().nullable().describe('HTTP status of the answer; null without one'),
    sentence: z.string().nullable().describe('reason why it was not accepted; null if it was'),
  })
  .meta({ id: 'WebhookAttempt' });

const DeliveryDetails = WebhookDelivery.extend({
  body: z.string().describe('body of the message, as it is signed and sent'),
  attempt_list: z.array(WebhookAttempt).describe('attempts, newest first'),
}).meta({ id: 'WebhookDeliveryDetails' });

const Counts = z.strictObject(
  Object.fromEntries(
    WEBHOOK_DELIVERY_STATES.map((state) => [state, z.int().min(0).describe(`number of ${state} deliveries`)]),
  ) as Record<(typeof WEBHOOK_DELIVERY_STATES)[number], z.ZodInt>,
);

const access = 'webhooks:manage';
const SEES_MORE = 'grant_exceeds_giver';

export const webhooksRoutes = {
  listEndpoints: defineRoute({
    id: 'listWebhookEndpoints',
    room,
    method: 'GET',
    path: '/webhooks/endpoints',
    summary: 'List webhook endpoints, by integration and address',
    access,
    answer: {
      status: 200,
      schema: z
        .strictObject({
          items: z.array(WebhookEndpoint).describe('all endpoints'),
          enabled: z.boolean().describe('false while WEBHOOKS_ENABLED is off: then nothing is sent'),
        })
        .meta({ id: 'WebhookEndpoints' }),
    },
  }),
  createEndpoint: defineRoute({
    id: 'createWebhookEndpoint',
    room,
    method: 'POST',
    path: '/webhooks/endpoints',
    summary: 'Create a webhook endpoint of an integration',
    description:
      'From then on the chosen events about faxes that the integration may see are sent to the address, while WEBHOOKS_ENABLED is on. The caller must hold the permissions with which the integration sees them. The secret is returned only once.',
    access,
    audited: { operation: 'webhook.create', target: 'webhook' },
    badBody,
    body: z
      .strictObject({
        integration_id: Id.describe('id of the integration'),
        url: Url,
        events: Events.describe('events to send'),
        enabled: Enabled,
        test: z
          .boolean()
          .default(false)
          .describe('true for events about faxes of test keys, and no others; cannot be changed later'),
      })
      .meta({ id: 'WebhookEndpointIn' }),
    answer: { status: 201, schema: EndpointWithSecret },
    refusals: ['webhook_refused', 'no_such_person', SEES_MORE],
  }),
  changeEndpoint: defineRoute({
    id: 'changeWebhookEndpoint',
    room,
    method: 'PUT',
    path: '/webhooks/endpoints/:id',
    summary: 'Change a webhook endpoint, or turn it on or off',
    description:
      'All fields are replaced. Turning a paused endpoint on again clears the reason. What an endpoint that is off or paused would have been sent is not sent later.',
    access,
    audited: { operation: 'webhook.change', target: 'webhook', param: 'id' },
    badBody,
    params: IdParams,
    body: z
      .strictObject({
        url: Url,
        events: Events.describe('events to send'),
        enabled: Enabled,
        version: Version.describe('version of the endpoint from the last read'),
      })
      .meta({ id: 'WebhookEndpointChange' }),
    answer: { status: 200, schema: WebhookEndpoint },
    refusals: ['webhook_refused', 'no_such_webhook', SEES_MORE, 'stale'],
  }),
  replaceSecret: defineRoute({
    id: 'replaceWebhookSecret',
    room,
    method: 'POST',
    path: '/webhooks/endpoints/:id/secret',
    summary: 'Replace the secret of a webhook endpoint',
    description:
      'For the hours of `overlap_hours` messages are signed with both secrets, so that a receiver can change over without refusing any. The new secret is returned only once.',
    access,
    audited: { operation: 'webhook.replace_secret', target: 'webhook', param: 'id' },
    badBody,
    params: IdParams,
    body: z
      .strictObject({
        overlap_hours: z
          .int()
          .min(0)
          .max(LIMIT.overlapHours)
          .default(24)
          .describe('hours in which the former secret signs as well; 0 ends it at once'),
        version: Version.describe('version of the endpoint from the last read'),
      })
      .meta({ id: 'WebhookSecretReplacement' }),
    answer: { status: 200, schema: EndpointWithSecret },
    refusals: ['no_such_webhook', SEES_MORE, 'stale'],
  }),
  removeEndpoint: defineRoute({
    id: 'removeWebhookEndpoint',
    room,
    method: 'POST',
    path: '/webhooks/endpoints/:id/remove',
    summary: 'Remove a webhook endpoint with its deliveries',
    description: 'Events that were not accepted yet are not sent.',
    access,
    audited: { operation: 'webhook.remove', target: 'webhook', param: 'id' },
    badBody,
    params: IdParams,
    body: z
      .strictObject({ version: Version.describe('version of the endpoint from the last read') })
      .meta({ id: 'WebhookEndpointVersion' }),
    answer: { status: 200, schema: WebhookEndpoint },
    refusals: ['no_such_webhook', 'stale'],
  }),
  testEndpoint: defineRoute({
    id: 'testWebhookEndpoint',
    room,
    method: 'POST',
    path: '/webhooks/endpoints/:id/test',
    summary: 'Send a test event to a webhook endpoint',
    description:
      'The message has the type `webhook.test` and is signed, retried and listed like any other. Each caller can send 20 a minute.',
    access,
    audited: { operation: 'webhook.test', target: 'webhook', param: 'id' },
    params: IdParams,
    answer: { status: 201, schema: WebhookDelivery },
    refusals: ['no_such_webhook', 'webhook_off'],
  }),
  listDeliveries: defineRoute({
    id: 'listWebhookDeliveries',
    room,
    method: 'GET',
    path: '/webhooks/deliveries',
    summary: 'List webhook deliveries, newest first',
    description: `Deliveries are kept for ${LIMIT.keptDays} days.`,
    access,
    query: z.strictObject({
      ids: IdList.optional(),
      state: queryList(WEBHOOK_DELIVERY_STATES).optional(),
      endpoint_id: Id.optional().describe('only those of this endpoint'),
      subject_id: Id.optional().describe('only those about this fax or work item'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: {
      status: 200,
      schema: pageOf(WebhookDelivery)
        .extend({ counts: Counts.describe('number of all deliveries by state') })
        .meta({ id: 'WebhookDeliveryPage' }),
    },
  }),
  getDelivery: defineRoute({
    id: 'getWebhookDelivery',
    room,
    method: 'GET',
    path: '/webhooks/deliveries/:id',
    summary: 'Get a webhook delivery with its attempts',
    access,
    params: IdParams,
    answer: { status: 200, schema: DeliveryDetails },
    refusals: ['no_such_webhook_delivery'],
  }),
  sendAgain: defineRoute({
    id: 'sendWebhookAgain',
    room,
    method: 'POST',
    path: '/webhooks/deliveries/:id/send-again',
    summary: 'Send a webhook delivery again, or a waiting one now',
    description:
      'It is sent with the same `webhook-id` and body, and retried for another day. The integration must still be allowed to see its fax.',
    access,
    audited: { operation: 'webhook.send_again', target: 'webhook_delivery', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: WebhookDelivery },
    refusals: ['no_such_webhook_delivery', 'webhook_off'],
  }),
} as const;
