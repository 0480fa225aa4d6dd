import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { DELIVERY_STATES, STATUS_LABELS } from '../states/outbound.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { ContactRef } from './contacts-fields.ts';
import { aboutFormFields } from './outbound-about-shapes.ts';
import { ACCEPTANCE_REFUSALS, guardFormFields, SendFields } from './outbound-sending.ts';
import { defineRoute } from './route.ts';
import { Cursor, FormFlag, formList, Id, IdList, IncludeTest, ListLimit, pageOf, Time } from './values.ts';

const room = 'cases';
const Count = z.number().int().min(0);

const CaseId = z
  .string()
  .min(1)
  .max(LIMITS.idLength)
  .regex(VISIBLE_LINE, VISIBLE_RULE)
  .refine((text) => text.trim() === text, { error: 'must not begin or end with a space' })
  .describe('id of the case, as your office writes it, such as `4711`');

const CaseParams = z.strictObject({ case_id: CaseId });

const CaseDocument = z
  .strictObject({
    title: z.string(),
    pages: Count.describe('its own pages, without the page with its title'),
    first_page: Count.nullable().describe(
      'number of its first own page in the fax; null if the index only names it',
    ),
    sha256: z.string().length(64).describe('SHA-256 of the PDF as it was sent to the gateway, lowercase hex'),
    named: z
      .strictObject({ fax_id: Id, sent_at: Time })
      .nullable()
      .describe('earlier fax that delivered it, if the index only names it'),
  })
  .meta({ id: 'CaseDocument' });

const CasePacket = z
  .strictObject({
    fax_id: Id.describe('the fax that the packet is: `GET /fax/{fax_id}` has everything about it'),
    to: z.string().describe('E.164'),
    contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
    status: z.enum(STATUS_LABELS),
    delivery_state: z.enum(DELIVERY_STATES).describe('state of the fax; only `success` means delivered'),
    error: z.string().nullable(),
    pages: Count.describe('pages of the fax, with index and pages with titles'),
    documents: z.array(CaseDocument).describe('empty where only some pages of a packet were sent again'),
    created_at: Time,
    created_by: z.strictObject({ id: Id, name: z.string() }),
    test: z.boolean().describe('true for a test fax, which is handed to nobody'),
  })
  .meta({ id: 'CasePacket' });

const CaseSummary = z
  .strictObject({
    case_id: CaseId,
    packets: Count.describe('packets that the caller can see'),
    newest: CasePacket,
  })
  .meta({ id: 'CaseSummary' });

const SentPacket = z
  .strictObject({
    case_id: CaseId,
    to: z.string().describe('E.164'),
    pages: Count.describe('pages of the fax, with index and pages with titles'),
    documents: z.array(CaseDocument).describe('in the order of the index'),
    fax_id: Id.nullable().describe('null for a preview'),
    preview_id: Id.nullable().describe(
      'preview of the pages, at `/fax/preview/{preview_id}/{page}.png`; null for a fax',
    ),
  })
  .meta({ id: 'SentPacket' });

const { to, mailbox, send_at, send_by, send_when, queue_only, send_now, urgent, send_by_call } =
  SendFields.shape;

const sendCase = defineRoute({
  id: 'sendCase',
  room,
  method: 'POST',
  path: '/cases/:case_id/faxes',
  summary: 'Send the documents of a case as one fax',
  description: [
    'The PDFs become one fax: an index, before each document a page with its title, and on every page its number, such as `case 4711, page 3 of 28`.',
    'Acceptance (202) is not a delivery: check the `delivery_state` of the fax.',
    'With `preview=true` the answer is 200, nothing is recorded, and the pages can be looked at for some minutes.',
    'Requests with the same Idempotency-Key are one fax. A refusal of a document names its number and title.',
  ].join(' '),
  access: 'fax:send',
  anywhere: true,
  ownKey: true,
  params: CaseParams,
  form: {
    fields: z.strictObject({
      to,
      preview: FormFlag.default(false).describe('composes the packet and draws its pages without sending it'),
      titles: formList(
        z.string().max(LIMITS.titleLength).regex(VISIBLE_LINE, VISIBLE_RULE),
        LIMITS.caseDocuments,
      ).describe(
        'one title for each document, in order, each in a separate field; the file names if left out',
      ),
      name_sent: FormFlag.default(false).describe(
        'names a document in the index instead of sending it, if an earlier packet of the case delivered the same file to this recipient and the contact accepts references',
      ),
      queue_only,
      send_now,
      urgent,
      send_by_call,
      send_at,
      send_by,
      send_when,
      mailbox,
      ...aboutFormFields,
      ...guardFormFields,
    }),
    files: {
      documents: {
        description: `PDFs, at most ${LIMITS.caseDocuments}, in their order; together at most \`MAX_FILE_SIZE_MB\``,
        required: true,
        repeated: true,
      },
    },
  },
  answer: {
    status: 202,
    schema: SentPacket,
    also: { status: 200, words: 'The preview of the packet; nothing is recorded.' },
  },
  answerWords: 'The fax is recorded and will be sent. It is not delivered yet.',
  refusals: [
    ...ACCEPTANCE_REFUSALS,
    'document_invalid',
    'document_too_large',
    'document_unsupported',
    'wrong_titles',
    'previews_under_way',
    'guard_refused',
  ],
});

const listCases = defineRoute({
  id: 'listCases',
  room,
  method: 'GET',
  path: '/cases',
  summary: 'List cases, the one with the newest fax first',
  access: 'fax:read',
  anywhere: true,
  query: z.strictObject({
    q: z.string().max(LIMITS.searchLength).optional().describe('part of the case id'),
    include_test: IncludeTest,
    limit: ListLimit,
    cursor: Cursor.optional(),
  }),
  answer: { status: 200, schema: pageOf(CaseSummary).meta({ id: 'CasePage' }) },
});

const getCase = defineRoute({
  id: 'getCase',
  room,
  method: 'GET',
  path: '/cases/:case_id',
  summary: 'List the packets of a case, newest first',
  access: 'fax:read',
  anywhere: true,
  params: CaseParams,
  query: z.strictObject({
    ids: IdList.optional(),
    include_test: IncludeTest,
    limit: ListLimit,
    cursor: Cursor.optional(),
  }),
  answer: {
    status: 200,
    schema: pageOf(CasePacket).extend({ case_id: CaseId }).meta({ id: 'CasePacketPage' }),
  },
  refusals: ['no_such_case'],
});

export const casesRoutes = { sendCase, listCases, getCase } as const;
