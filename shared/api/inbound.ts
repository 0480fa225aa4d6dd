import { z } from 'zod';
import { DEPRECATIONS } from '../deprecations.ts';
import { LIMITS } from '../limits.ts';
import { INBOUND_STATUSES } from '../states/inbound.ts';
import { InboundCounts, InboundEvidence, InboundFax } from './inbound-shapes.ts';
import { AboutChange } from './outbound-about-shapes.ts';
import { defineRoute } from './route.ts';
import {
  AnyTime,
  Cursor,
  DocumentQuery,
  FormFlag,
  Id,
  IdList,
  IdParams,
  InboundBackendName,
  IncludeTest,
  pageOf,
  queryList,
  Time,
  UpdatedSince,
} from './values.ts';

const ListQuery = z.strictObject({
  ids: IdList.optional(),
  limit: z.coerce.number().int().min(1).max(200).default(100),
  cursor: Cursor.optional(),
  to_number: z.string().max(40).optional(),
  from_number: z.string().max(40).optional(),
  status: queryList(INBOUND_STATUSES).optional(),
  mailbox: z.string().min(1).max(100).optional().describe('label or id of a mailbox'),
  backend: InboundBackendName.optional(),
  junk: FormFlag.optional().describe(
    'true returns only faxes in Junk, false only faxes that are not in Junk; both if left out',
  ),
  legal_hold: FormFlag.optional().describe('true for the faxes that a legal hold keeps'),
  include_test: IncludeTest,
  unread: FormFlag.optional().describe(
    'true returns only faxes that the caller has not read, or nobody if reading is shared',
  ),
  since: AnyTime.optional().describe('only faxes recorded at this time or later'),
  until: AnyTime.optional().describe('only faxes recorded before this time'),
  updated_since: UpdatedSince.optional(),
  q: z
    .string()
    .max(LIMITS.searchLength)
    .optional()
    .describe(
      'part of a number, a contact name, a mailbox label, the subject, reference or type, or the day the fax was recorded; a search through very many faxes may return only the results found so far: continue with `next_cursor`, even after a page without faxes',
    ),
});

const TestFaxNumbers = z
  .strictObject({
    from_number: z.string().max(40).optional(),
    to_number: z.string().max(40).optional().describe('selects the mailbox; our own number if left out'),
  })
  .meta({ id: 'InboundTest' });

const room = 'inbound';
const OFF = ['receiving_off'] as const;
const HIDDEN = ['no_such_received_fax', 'fax_archived'] as const;
const DOCUMENT = [
  ...HIDDEN,
  'not_received_yet',
  'document_gone',
  'document_unreadable',
  'document_damaged',
] as const;

export const inboundRoutes = {
  listInbound: defineRoute({
    id: 'listInbound',
    room,
    method: 'GET',
    path: '/inbound',
    summary: 'List received faxes, newest first',
    description:
      'Returns the faxes that the caller can see. The header `Link` with `rel="next"` has the next page.',
    access: 'inbound:list',
    anywhere: true,
    ignoresUnknownQuery: true,
    query: ListQuery,
    linksNext: true,
    answer: { status: 200, schema: z.array(InboundFax) },
    refusals: ['invalid_fax_number'],
  }),
  pageInbound: defineRoute({
    id: 'pageInbound',
    room,
    method: 'GET',
    path: '/inbound/page',
    summary: 'List received faxes with the cursor of the next page in the response',
    access: 'inbound:list',
    anywhere: true,
    query: ListQuery,
    answer: { status: 200, schema: pageOf(InboundFax) },
    refusals: ['invalid_fax_number'],
  }),
  countInbound: defineRoute({
    id: 'countInbound',
    room,
    method: 'GET',
    path: '/inbound/counts',
    summary: 'Count received faxes that are unread, waiting, failed or in Junk',
    access: 'inbound:list',
    anywhere: true,
    answer: { status: 200, schema: InboundCounts },
  }),
  testInbound: defineRoute({
    id: 'testInbound',
    room,
    method: 'POST',
    path: '/inbound/test',
    summary: 'Create a test fax, as if it had been received',
    access: 'providers:write',
    audited: { operation: 'inbound.test', target: 'inbound_fax' },
    body: TestFaxNumbers,
    bodyOptional: true,
    badBody: 'sentence',
    answer: { status: 201, schema: InboundFax },
    refusals: [...OFF, 'invalid_fax_number'],
  }),
  receiveTestFax: defineRoute({
    id: 'createReceivedTestFax',
    room,
    method: 'POST',
    path: '/inbound/test-fax',
    summary: 'Receive a test fax with a test key',
    description:
      'Only for a test key, which alone sees the fax in its lists. It has one page and no work item, and nobody is notified. Without `to_number` it arrives for the only mailbox of the key, otherwise for our own number.',
    access: 'inbound:list',
    anywhere: true,
    audited: { operation: 'inbound.test', target: 'inbound_fax' },
    body: TestFaxNumbers,
    bodyOptional: true,
    badBody: 'sentence',
    answer: { status: 201, schema: InboundFax },
    refusals: [...OFF, 'test_key_needed', 'test_fax_out_of_reach', 'invalid_fax_number'],
  }),
  getInbound: defineRoute({
    id: 'getInbound',
    room,
    method: 'GET',
    path: '/inbound/:id',
    summary: 'Get a received fax',
    access: 'inbound:read',
    anywhere: true,
    ignoresUnknownQuery: true,
    params: IdParams,
    answer: { status: 200, schema: InboundFax },
    refusals: HIDDEN,
  }),
  inboundPdf: defineRoute({
    id: 'getInboundPdf',
    room,
    method: 'GET',
    path: '/inbound/:id/pdf',
    summary: 'Get the document of a received fax; this marks it as read by the caller',
    description: 'The security audit records who opened, printed or downloaded it.',
    access: 'inbound:document',
    anywhere: true,
    ignoresUnknownQuery: true,
    params: IdParams,
    query: DocumentQuery,
    answer: { status: 200, contentType: 'application/pdf' },
    hasRanges: true,
    refusals: DOCUMENT,
  }),
  inboundOriginal: defineRoute({
    id: 'getInboundOriginal',
    room,
    method: 'GET',
    path: '/inbound/:id/original',
    summary: 'Download the original that the pages of a received fax carry',
    description:
      'The file byte for byte as it was sent, once `decode` of the fax is `decoded`. The security audit records who downloaded it.',
    access: 'inbound:document',
    anywhere: true,
    params: IdParams,
    query: DocumentQuery,
    answer: { status: 200, contentType: 'application/octet-stream' },
    hasRanges: true,
    refusals: [...HIDDEN, 'no_original', 'document_gone', 'document_unreadable', 'document_damaged'],
  }),
  decodeInbound: defineRoute({
    id: 'recoverInboundOriginal',
    room,
    method: 'POST',
    path: '/inbound/:id/decode',
    summary: 'Look for the original in the pages of a received fax again',
    description:
      'The result follows as a change of the fax. A contact is named where its shared key is to be tried, as for a fax from an unknown number.',
    access: 'inbound:document',
    anywhere: true,
    audited: { operation: 'inbound.decode', target: 'inbound_fax', param: 'id' },
    badBody: 'sentence',
    params: IdParams,
    body: z.strictObject({ contact_id: Id.nullable().optional() }),
    bodyOptional: true,
    answer: { status: 200, schema: InboundFax },
    refusals: [...HIDDEN, 'not_received_yet', 'document_gone', 'no_such_contact', 'kept_for_legal_hold'],
  }),
  inboundPage: defineRoute({
    id: 'getInboundPage',
    room,
    method: 'GET',
    path: '/inbound/:id/pages/:page.png',
    summary: 'Get an image of one page',
    description: 'HEAD prepares the image and keeps it for a while. It does not count as opening the fax.',
    access: 'inbound:document',
    anywhere: true,
    params: z.strictObject({ id: Id, page: z.coerce.number().int().min(1).max(10_000) }),
    query: z.strictObject({ width: z.coerce.number().int().min(64).max(1728).default(864) }),
    answer: { status: 200, contentType: 'image/png' },
    hasRanges: true,
    refusals: [...DOCUMENT, 'no_such_page'],
  }),
  inboundEvidence: defineRoute({
    id: 'getInboundEvidence',
    room,
    method: 'GET',
    path: '/inbound/:id/evidence',
    summary: 'Get the evidence of a received fax: the reports, their verification, and the actions taken',
    access: 'inbound:read',
    anywhere: true,
    params: IdParams,
    answer: { status: 200, schema: InboundEvidence },
    refusals: HIDDEN,
  }),
  fetchInbound: defineRoute({
    id: 'fetchInbound',
    room,
    method: 'POST',
    path: '/inbound/:id/fetch',
    summary: 'Fetch the document of a received fax again now',
    access: 'providers:write',
    audited: { operation: 'inbound.fetch', target: 'inbound_fax', param: 'id' },
    params: IdParams,
    answer: { status: 202, schema: InboundFax },
    refusals: [...OFF, ...HIDDEN, 'already_received', 'account_gone'],
  }),
  inboundTargets: defineRoute({
    id: 'listInboundTargets',
    room,
    method: 'GET',
    path: '/inbound/:id/move',
    summary: 'List the mailboxes that the caller can move a received fax to',
    description: 'Returns none while the fax is in an enabled mailbox.',
    access: 'inbound:read',
    anywhere: true,
    params: IdParams,
    answer: {
      status: 200,
      schema: z
        .strictObject({ mailboxes: z.array(z.strictObject({ id: Id, label: z.string() })) })
        .meta({ id: 'InboundTargets' }),
    },
    refusals: HIDDEN,
  }),
  moveInbound: defineRoute({
    id: 'moveInbound',
    room,
    method: 'POST',
    path: '/inbound/:id/move',
    summary: 'Move a received fax that is in no mailbox, or in a disabled one, to a mailbox',
    description:
      'Also requires `work:manage` on the fax and in the mailbox. The move is recorded in the evidence of the fax and in the security audit.',
    access: 'inbound:read',
    anywhere: true,
    audited: { operation: 'inbound.move', target: 'inbound_fax', param: 'id' },
    params: IdParams,
    body: z
      .strictObject({ mailbox: z.string().min(1).max(100).describe('id or label') })
      .meta({ id: 'InboundMove' }),
    badBody: 'sentence',
    answer: { status: 200, schema: InboundFax },
    refusals: [...HIDDEN, 'not_allowed', 'mailbox_not_found', 'already_in_mailbox', 'test_fax_of_key'],
  }),
  applyInboundRules: defineRoute({
    id: 'applyInboundRules',
    room,
    method: 'POST',
    path: '/inbound/apply-rules',
    summary: 'Apply the current number rules to received faxes that are in no mailbox or in a disabled one',
    access: 'mailboxes:manage',
    audited: { operation: 'inbound_rule.apply', target: 'installation' },
    answer: {
      status: 200,
      schema: z
        .strictObject({
          moved: z.int().min(0),
          left: z.int().min(0).describe('number of faxes without a rule for their number'),
        })
        .meta({ id: 'AppliedRules' }),
    },
  }),
  inboundReaders: defineRoute({
    id: 'listInboundReaders',
    room,
    method: 'GET',
    path: '/inbound/:id/readers',
    summary: 'List the people who have read a received fax, first reader first',
    description: 'This also works if reading is shared (`INBOUND_READING`).',
    access: 'inbound:read',
    anywhere: true,
    params: IdParams,
    answer: {
      status: 200,
      schema: z
        .strictObject({
          readers: z.array(z.strictObject({ id: Id, name: z.string(), read_at: Time })),
        })
        .meta({ id: 'InboundReaders' }),
    },
    refusals: HIDDEN,
  }),
  markInbound: defineRoute({
    id: 'markInbound',
    room,
    method: 'PUT',
    path: '/inbound/:id/read',
    summary: 'Mark a received fax as read or unread by the caller',
    description: 'If reading is shared (`INBOUND_READING`), this applies to everyone.',
    access: 'inbound:read',
    anywhere: true,
    params: IdParams,
    body: z.strictObject({ read: z.boolean() }).meta({ id: 'InboundReadMark' }),
    badBody: 'sentence',
    answer: { status: 200, schema: InboundFax },
    refusals: HIDDEN,
  }),
  describeInbound: defineRoute({
    id: 'describeInbound',
    room,
    method: 'POST',
    path: '/inbound/:id/about',
    summary: 'Change subject, reference and document type of a received fax for everyone',
    description: 'The evidence of the fax records the change. The document stays as it was received.',
    access: 'inbound:document',
    anywhere: true,
    params: IdParams,
    body: AboutChange,
    badBody: 'sentence',
    answer: { status: 200, schema: InboundFax },
    refusals: [...HIDDEN, 'stale'],
  }),
  turnInbound: defineRoute({
    id: 'turnInbound',
    room,
    method: 'PUT',
    path: '/inbound/:id/turns',
    summary: 'Rotate pages of a received fax for everyone',
    description: 'This changes only the display. The document, its printout and its download stay unchanged.',
    access: 'inbound:document',
    anywhere: true,
    params: IdParams,
    body: z
      .strictObject({
        pages: z.array(z.int().min(1).max(10_000)).min(1).max(10_000),
        quarter_turns: z
          .int()
          .min(0)
          .max(3)
          .describe('number of turns to the right from the original orientation'),
      })
      .meta({ id: 'InboundTurn' }),
    badBody: 'sentence',
    answer: { status: 200, schema: InboundFax },
    refusals: [...DOCUMENT, 'no_such_page'],
  }),
} as const;

/** Names of earlier releases. */
export const olderInboundRoutes = {
  adminSimulateInbound: defineRoute({
    ...inboundRoutes.testInbound,
    id: 'simulateInbound',
    path: '/admin/inbound/simulate',
    deprecated: DEPRECATIONS.test_fax,
  }),
} as const;
