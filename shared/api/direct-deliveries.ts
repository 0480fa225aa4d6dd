import { z } from 'zod';
import { DIRECT_DELIVERY_STATES, DIRECT_DIRECTIONS } from '../states/direct.ts';
import { defineRoute } from './route.ts';
import { Cursor, Id, ListLimit, OptionalTime, pageOf, queryList, Time } from './values.ts';

const room = 'direct';

const Count = z.number().int().min(0);
const MessageId = z.string().regex(/^[0-9a-f]{32}$/u);

export const DirectDeliveryItem = z
  .strictObject({
    message_id: z.string().describe('32 hex digits: the same at both partners'),
    direction: z.enum(DIRECT_DIRECTIONS),
    partner: z.string().describe('name of the partner'),
    partner_id: Id,
    fax_number: z.string().describe('number of the partner, E.164'),
    job_id: Id.nullable().describe('id of the sent fax; null for a received document'),
    inbound_id: Id.nullable().describe('id of the received fax; null for a sent document'),
    state: z
      .enum(DIRECT_DELIVERY_STATES)
      .describe(
        '`accepted` only with a receipt that the recipient signed; `uncertain` while the recipient has given no signed answer',
      ),
    status: z.string().describe('sentence for people'),
    size_bytes: Count.nullable(),
    created_at: Time,
    accepted_at: OptionalTime.describe('time when the recipient signed the receipt'),
    receipt: z
      .unknown()
      .describe(
        'the signed receipt and the signed manifest, which anyone can verify; null without a receipt',
      ),
  })
  .meta({ id: 'DirectDelivery' });

const Signed = z
  .looseObject({
    statement: z
      .looseObject({ type: z.string() })
      .describe('`receipt`, `refused` or `status`, with its fields'),
    signature: z.string(),
  })
  .describe('statement and the Ed25519 signature over its canonical JSON, base64url')
  .meta({ id: 'DirectSigned' });

const OFF = 'Answers 404 while DIRECT_DELIVERY_ENABLED is off.';

export const directDeliveryRoutes = {
  listDeliveries: defineRoute({
    id: 'listDirectDeliveries',
    room,
    method: 'GET',
    path: '/direct/deliveries',
    summary: 'List documents exchanged directly with partners, newest first',
    access: 'settings:read',
    query: z.strictObject({
      direction: z.enum(DIRECT_DIRECTIONS).optional(),
      state: queryList(DIRECT_DELIVERY_STATES).optional(),
      partner_id: Id.optional().describe('only those of this partner'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(DirectDeliveryItem).meta({ id: 'DirectDeliveryPage' }) },
  }),
  receiveDelivery: defineRoute({
    id: 'receiveDirectDelivery',
    room,
    method: 'POST',
    path: '/direct/deliveries',
    summary: 'Deliver a document directly: for partner installations only',
    description: [
      'The parts `manifest`, `signature` and `document` come in this order; `docs/direct-delivery.md` describes them.',
      'The answer is a receipt that this installation signed, and the same receipt for the same document again. Refusals',
      `after the sender is known are signed statements as well, and fence the id. ${OFF}`,
    ].join(' '),
    access: 'public',
    from: 'provider',
    rawBody: {
      form: {
        fields: z.strictObject({
          manifest: z.string().describe('canonical JSON, at most 16 KB'),
          signature: z.string().describe('Ed25519 signature over the manifest, base64url'),
        }),
        files: { document: { description: 'the encrypted document', required: true, repeated: false } },
      },
    },
    answer: { status: 200, schema: Signed },
    refusals: [
      'no_such_address',
      'direct_unreadable',
      'direct_document_invalid',
      'direct_unknown_sender',
      'direct_bad_signature',
      'direct_not_taken',
      'direct_id_used',
      'length_required',
      'form_expected',
      'too_many_parts',
      'rate_limited',
      'too_busy',
      'too_large',
      'other_data_key',
    ],
  }),
  askDelivery: defineRoute({
    id: 'askDirectDelivery',
    room,
    method: 'GET',
    path: '/direct/deliveries/:message_id',
    summary: 'Ask whether a document arrived: for partner installations only',
    description: `The answer is signed. \`not_received\` is recorded first: from then on no document with the id is taken. ${OFF}`,
    access: 'public',
    from: 'provider',
    params: z.strictObject({ message_id: MessageId }),
    headers: {
      'X-Direct-Key': { description: 'public Ed25519 key of the partner, base64url', required: true },
      'X-Direct-Time': { description: 'present time, ISO 8601 UTC; at most 5 minutes off', required: true },
      'X-Direct-Signature': {
        description: 'signature over method, path and time, joined by line feeds, base64url',
        required: true,
      },
    },
    answer: { status: 200, schema: Signed },
    refusals: [
      'no_such_address',
      'direct_unknown_sender',
      'direct_bad_signature',
      'direct_not_taken',
      'rate_limited',
      'too_busy',
      'other_data_key',
    ],
  }),
} as const;
