import { z } from 'zod';
import { parseAddresses } from '../address-list.ts';
import { FIXED_WORDS } from '../fixed-words.ts';
import { LIMITS } from '../limits.ts';
import { MAIL_OAUTH_PROVIDERS, MAIL_SECURITY } from '../mail-server.ts';
import { MAIL_CONFIRM_OUTCOMES, MAIL_RECIPIENT_STATES, MAIL_STATES } from '../states/intake.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { ContactRef } from './contacts.ts';
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

const room = 'intake';
const badBody = 'sentence';
const LIMIT = LIMITS.connector;

const lineOf = (max: number) => z.string().trim().max(max).regex(VISIBLE_LINE, VISIBLE_RULE);
const Address = z
  .string()
  .trim()
  .max(LIMIT.address)
  .regex(/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/u, 'must be an e-mail address')
  .regex(VISIBLE_LINE, VISIBLE_RULE);
/** With a name before an address in angle brackets, which is left out; a name with a comma stands in quotes. */
const AddressText = z
  .string()
  .max(LIMIT.recipients * (LIMIT.address + LIMIT.name))
  .transform((text) => parseAddresses(text) ?? [text])
  .pipe(z.array(Address).min(1).max(LIMIT.recipients));
const Host = z
  .string()
  .trim()
  .min(1)
  .max(LIMIT.host)
  .regex(/^[\p{L}\p{N}._:-]+$/u, 'must be a server name or an address');

/** Placeholders of a subject, written in braces. */
export const SUBJECT_PLACEHOLDERS = [
  'from_number',
  'to_number',
  'pages',
  'received_at',
  'mailbox',
  'contact',
] as const;

/** Connector as a person sets it up. */
export const ConnectorIn = z
  .strictObject({
    name: lineOf(LIMIT.name).min(1),
    host: Host.describe('of the SMTP server'),
    from_address: Address.describe('whom the e-mails come from'),
    recipients: z
      .union([z.array(Address).min(1).max(LIMIT.recipients), AddressText])
      .describe('up to 20 addresses as a list, or as text with commas between them; each gets the fax once'),
    enabled: z.boolean().default(true),
    match_number: z
      .string()
      .trim()
      .max(LIMIT.matchNumber)
      .nullish()
      .describe('only faxes to this number; null for faxes to numbers that no other connector names'),
    username: lineOf(LIMIT.username).default('').describe('empty for a server that wants no sign-in'),
    password: z
      .string()
      .max(LIMIT.password)
      .nullish()
      .describe('null keeps the one that is stored, empty removes it'),
    port: z.int().min(1).max(65_535).default(587),
    security: z
      .enum(MAIL_SECURITY)
      .default('starttls')
      .describe('none only to this computer, unless MAIL_UNENCRYPTED is on'),
    subject_template: lineOf(LIMIT.subject)
      .min(1)
      .default(FIXED_WORDS.emailSubject)
      .describe(`with ${SUBJECT_PLACEHOLDERS.map((word) => `{${word}}`).join(', ')}`),
    version: Version.nullish().describe('of the connector as it was read; needed to change one'),
  })
  .meta({ id: 'ConnectorIn' });

export const Connector = z
  .strictObject({
    id: Id,
    name: z.string(),
    host: z.string(),
    port: z.int(),
    security: z.enum(MAIL_SECURITY),
    username: z.string(),
    has_password: z.boolean().describe('the password itself is never answered'),
    has_oauth: z
      .boolean()
      .describe('signs in with OAuth 2 in place of a password; nothing of it is ever answered'),
    oauth_provider: z.enum(MAIL_OAUTH_PROVIDERS).nullable(),
    oauth_problem: z
      .string()
      .nullable()
      .describe('why the provider gives no more access tokens until a person signs in again'),
    from_address: z.string(),
    recipients: z.array(z.string()),
    enabled: z.boolean(),
    match_number: z.string().nullable().describe('E.164'),
    subject_template: z.string(),
    last_test: z
      .strictObject({ at: Time, ok: z.boolean(), detail: z.string() })
      .nullable()
      .describe('null when it was not tested since it last changed'),
    version: Version,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Connector' });

const ConnectorTest = z
  .strictObject({ ok: z.boolean(), detail: z.string().describe('what happened, for a person') })
  .meta({ id: 'ConnectorTest' });

export const MailDelivery = z
  .strictObject({
    id: Id,
    fax_id: Id,
    fax: z
      .strictObject({
        from_number: z.string().nullable(),
        contact: ContactRef.nullable().describe('whose that number is; needs contacts:read'),
        to_number: z.string().nullable(),
        pages: z.int(),
        filed_at: Time,
      })
      .nullable()
      .describe('null for who may not know of the fax'),
    connector: z.strictObject({ id: Id, name: z.string() }),
    state: z.enum(MAIL_STATES),
    sentence: z.string().nullable().describe('what keeps it from being delivered'),
    recipients: z.array(
      z.strictObject({
        address: z.string(),
        state: z.enum(MAIL_RECIPIENT_STATES),
        sentence: z.string().nullable(),
        at: OptionalTime.describe('when that became so'),
      }),
    ),
    failures: z.int().min(0).describe('attempts that the server refused since the last beginning'),
    retry_at: OptionalTime.describe('when it is sent again'),
    message_id: z.string().describe('the same however often it is sent'),
    version: Version,
    recorded_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'MailDelivery' });

const NOT_SET_UP = ['connector_refused', 'invalid_fax_number', 'setting_opens_more'] as const;
const Counts = z.strictObject(
  Object.fromEntries(MAIL_STATES.map((state) => [state, z.int().min(0)])) as Record<
    (typeof MAIL_STATES)[number],
    z.ZodInt
  >,
);

export const intakeRoutes = {
  listConnectors: defineRoute({
    id: 'listConnectors',
    room,
    method: 'GET',
    path: '/intake/connectors',
    summary: 'E-mail connectors, by name',
    access: 'mailboxes:read',
    answer: { status: 200, schema: z.strictObject({ items: z.array(Connector) }).meta({ id: 'Connectors' }) },
  }),
  createConnector: defineRoute({
    id: 'createConnector',
    room,
    method: 'POST',
    path: '/intake/connectors',
    summary: 'Create an e-mail connector',
    description:
      'Takes inbound:document for the whole installation as well, since it mails documents. Every fax whose document is filed from then on goes to its recipients: of the enabled connectors those that name the number it was sent to, or, where none does, those for any number.',
    access: 'settings:write',
    audited: { operation: 'connector.create', target: 'connector' },
    badBody,
    body: ConnectorIn,
    answer: { status: 201, schema: Connector },
    refusals: [...NOT_SET_UP],
  }),
  changeConnector: defineRoute({
    id: 'changeConnector',
    room,
    method: 'PUT',
    path: '/intake/connectors/:id',
    summary: 'Change an e-mail connector',
    description:
      'Takes inbound:document for the whole installation as well. Everything of it is set; a password that is left out stays. With another server, port or less security the password has to be given again.',
    access: 'settings:write',
    audited: { operation: 'connector.change', target: 'connector', param: 'id' },
    badBody,
    params: IdParams,
    body: ConnectorIn,
    answer: { status: 200, schema: Connector },
    refusals: [...NOT_SET_UP, 'no_such_connector', 'stale'],
  }),
  removeConnector: defineRoute({
    id: 'removeConnector',
    room,
    method: 'POST',
    path: '/intake/connectors/:id/remove',
    summary: 'Remove an e-mail connector',
    description: 'Takes inbound:document too. What waits to be sent by it fails; what it did stays listed.',
    access: 'settings:write',
    audited: { operation: 'connector.remove', target: 'connector', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({ version: Version }),
    answer: { status: 200, schema: Connector },
    refusals: ['no_such_connector', 'setting_opens_more', 'stale'],
  }),
  testConnector: defineRoute({
    id: 'testConnector',
    room,
    method: 'POST',
    path: '/intake/connectors/:id/test',
    summary: 'Send a short test message to the recipients of an e-mail connector',
    description:
      'It holds no fax. The answer names what failed: the name, the connection, the certificate, the sign-in, the sender or a recipient. A caller may test 20 times a minute.',
    access: 'settings:write',
    audited: { operation: 'connector.test', target: 'connector', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: ConnectorTest },
    refusals: ['no_such_connector'],
  }),
  listDeliveries: defineRoute({
    id: 'listDeliveries',
    room,
    method: 'GET',
    path: '/intake/items',
    summary: 'E-mail deliveries of received faxes, newest first',
    access: 'mailboxes:read',
    query: z.strictObject({
      ids: IdList.optional(),
      state: queryList(MAIL_STATES).optional(),
      fax_id: Id.optional(),
      connector_id: Id.optional(),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: {
      status: 200,
      schema: pageOf(MailDelivery)
        .extend({ counts: Counts.describe('of all deliveries, by state') })
        .meta({ id: 'MailDeliveryPage' }),
    },
  }),
  retryDelivery: defineRoute({
    id: 'retryDelivery',
    room,
    method: 'POST',
    path: '/intake/items/:id/retry',
    summary: 'Send a failed e-mail again, or one that waits now',
    description:
      'It goes to the present recipients of its connector, but for those who have it already. What may have arrived is confirmed first.',
    access: 'settings:write',
    audited: { operation: 'delivery.retry', target: 'delivery', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: MailDelivery },
    refusals: ['no_such_delivery', 'delivery_not_retried'],
  }),
  confirmDelivery: defineRoute({
    id: 'confirmDelivery',
    room,
    method: 'POST',
    path: '/intake/items/:id/confirm',
    summary: 'Say whether an e-mail that needs a check arrived',
    description:
      'One that did not arrive is sent again. It answers the doubt of the version that was read, and none that came later.',
    access: 'settings:write',
    audited: { operation: 'delivery.confirm', target: 'delivery', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      outcome: z.enum(MAIL_CONFIRM_OUTCOMES),
      version: Version.describe('of the delivery as it was read'),
    }),
    answer: { status: 200, schema: MailDelivery },
    refusals: ['no_such_delivery', 'delivery_certain', 'stale'],
  }),
} as const;
