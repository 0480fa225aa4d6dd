import { z } from 'zod';
import { parseAddresses } from '../address-list.ts';
import { FIXED_WORDS } from '../fixed-words.ts';
import { LIMITS } from '../limits.ts';
import { MAIL_OAUTH_PROVIDERS, MAIL_SECURITY } from '../mail-server.ts';
import { MAIL_CONFIRM_OUTCOMES, MAIL_RECIPIENT_STATES, MAIL_STATES } from '../states/intake.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { ContactRef } from './contacts-fields.ts';
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
  VersionIn,
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
    host: Host.describe('host of the SMTP server'),
    from_address: Address.describe('sender address of the e-mails'),
    recipients: z
      .union([z.array(Address).min(1).max(LIMIT.recipients), AddressText])
      .describe('up to 20 addresses, as a list or as text separated by commas; each gets the fax once'),
    enabled: z.boolean().default(true),
    match_number: z
      .string()
      .trim()
      .max(LIMIT.matchNumber)
      .nullish()
      .describe('only faxes to this number; null for faxes to numbers that are not in another connector'),
    username: lineOf(LIMIT.username).default('').describe('empty if the server needs no sign-in'),
    password: z
      .string()
      .max(LIMIT.password)
      .nullish()
      .describe('null keeps the stored password, empty removes it'),
    port: z.int().min(1).max(65_535).default(587),
    security: z
      .enum(MAIL_SECURITY)
      .default('starttls')
      .describe('`none` works only for this computer, unless MAIL_UNENCRYPTED is on'),
    subject_template: lineOf(LIMIT.subject)
      .min(1)
      .default(FIXED_WORDS.emailSubject)
      .describe(`can contain ${SUBJECT_PLACEHOLDERS.map((word) => `{${word}}`).join(', ')}`),
    version: Version.nullish().describe('version of the connector from the last read; required for a change'),
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
    has_password: z.boolean().describe('the password itself is never returned'),
    has_oauth: z
      .boolean()
      .describe('true if it signs in with OAuth 2 instead of a password; the values are never returned'),
    oauth_provider: z.enum(MAIL_OAUTH_PROVIDERS).nullable(),
    oauth_problem: z
      .string()
      .nullable()
      .describe('reason why the provider no longer issues access tokens; someone must sign in again'),
    from_address: z.string(),
    recipients: z.array(z.string()),
    enabled: z.boolean(),
    match_number: z.string().nullable().describe('E.164'),
    subject_template: z.string(),
    last_test: z
      .strictObject({ at: Time, ok: z.boolean(), detail: z.string() })
      .nullable()
      .describe('null if it was not tested since the last change'),
    version: Version,
    created_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'Connector' });

const ConnectorTest = z
  .strictObject({ ok: z.boolean(), detail: z.string().describe('result as a sentence for people') })
  .meta({ id: 'ConnectorTest' });

export const MailDelivery = z
  .strictObject({
    id: Id,
    fax_id: Id,
    fax: z
      .strictObject({
        from_number: z.string().nullable(),
        contact: ContactRef.nullable().describe('contact with that number; requires contacts:read'),
        to_number: z.string().nullable(),
        pages: z.int(),
        filed_at: Time,
      })
      .nullable()
      .describe('null if the caller cannot see the fax'),
    connector: z.strictObject({ id: Id, name: z.string() }),
    state: z.enum(MAIL_STATES),
    sentence: z.string().nullable().describe('reason why it is not delivered'),
    recipients: z.array(
      z.strictObject({
        address: z.string(),
        state: z.enum(MAIL_RECIPIENT_STATES),
        sentence: z.string().nullable(),
        at: OptionalTime.describe('time of the last change of the state'),
      }),
    ),
    failures: z
      .int()
      .min(0)
      .describe('number of attempts that the server refused since the delivery last started'),
    retry_at: OptionalTime.describe('time of the next attempt'),
    message_id: z.string().describe('stays the same if the e-mail is sent again'),
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
    summary: 'List e-mail connectors, by name',
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
      'Also requires inbound:document for the whole installation, because it e-mails documents. From then on, each filed fax is sent to the recipients of the enabled connectors for its number, or, if there are none, of the connectors for all numbers.',
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
      'Also requires inbound:document for the whole installation. All fields are replaced; a password that is left out stays. If the server or port changes, or the encryption is weaker, the password must be sent again.',
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
    description:
      'Also requires inbound:document. E-mails that it has not sent yet fail; earlier deliveries stay in the list.',
    access: 'settings:write',
    audited: { operation: 'connector.remove', target: 'connector', param: 'id' },
    badBody,
    params: IdParams,
    body: VersionIn,
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
      'The message contains no fax. The response says what failed: the name, the connection, the certificate, the sign-in, the sender or a recipient. Each caller can test 20 times a minute.',
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
    summary: 'List e-mail deliveries of received faxes, newest first',
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
        .extend({ counts: Counts.describe('number of all deliveries by state') })
        .meta({ id: 'MailDeliveryPage' }),
    },
  }),
  retryDelivery: defineRoute({
    id: 'retryDelivery',
    room,
    method: 'POST',
    path: '/intake/items/:id/retry',
    summary: 'Send a failed or waiting e-mail now',
    description:
      'It is sent to the current recipients of its connector, except those who already have it. An e-mail that may have arrived must be confirmed first.',
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
    summary: 'Confirm whether an e-mail that needs a check arrived',
    description:
      'An e-mail that did not arrive is sent again. The answer applies only to the version that was read.',
    access: 'settings:write',
    audited: { operation: 'delivery.confirm', target: 'delivery', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      outcome: z.enum(MAIL_CONFIRM_OUTCOMES),
      version: Version.describe('version of the delivery from the last read'),
    }),
    answer: { status: 200, schema: MailDelivery },
    refusals: ['no_such_delivery', 'delivery_certain', 'stale'],
  }),
} as const;
