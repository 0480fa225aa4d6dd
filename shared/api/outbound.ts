import { z } from 'zod';
import type { ErrorCode } from '../errors/all.ts';
import { LIMITS } from '../limits.ts';
import { SEND_WHEN } from '../send-when.ts';
import { DELIVERY_STATES } from '../states/outbound.ts';
import { outboundAboutRoutes } from './outbound-about.ts';
import { againRoutes, NO_FAX, STORED } from './outbound-again.ts';
import { outboundCalendarRoutes } from './outbound-calendar.ts';
import { sendingRoutes } from './outbound-sending.ts';
import { FaxCounts, FaxEvent, FaxJob, FaxNumber, NumberCheck, Reconciliation } from './outbound-shapes.ts';
import { defineRoute } from './route.ts';
import {
  AnyTime,
  Cursor,
  DocumentQuery,
  FormFlag,
  Id,
  IdList,
  IdParams,
  IncludeTest,
  ListLimit,
  pageOf,
  queryList,
  UpdatedSince,
  Version,
} from './values.ts';

const Versioned = z.strictObject({ delivery_version: Version });
const ListQuery = z.strictObject({
  ids: IdList.optional(),
  state: queryList(DELIVERY_STATES).optional(),
  to: z.string().max(40).optional().describe('exact number'),
  idempotency_key: z
    .string()
    .max(LIMITS.idempotencyKeyLength)
    .optional()
    .describe('only the fax that the caller sent with this Idempotency-Key'),
  case_id: Id.optional().describe('id of a case: only its packets'),
  broadcast_id: Id.optional().describe('id of a broadcast: only its faxes'),
  legal_hold: FormFlag.optional().describe('true for the faxes that a legal hold keeps'),
  scheduled: FormFlag.optional().describe(
    'true for the faxes that wait for a scheduled time, for hours, or to be sent together with others',
  ),
  created_by: Id.optional().describe('id of the person or integration that submitted it; `me` is the caller'),
  q: z
    .string()
    .max(LIMITS.searchLength)
    .optional()
    .describe(
      'part of the number, a contact name, a file name, a title, the subject, reference or type, or the day the fax was accepted; a search through very many faxes may return only the results found so far: continue with `next_cursor`, even after a page without faxes',
    ),
  since: AnyTime.optional().describe('only faxes submitted at this time or later'),
  until: AnyTime.optional().describe('only faxes submitted before this time'),
  updated_since: UpdatedSince.optional(),
  include_test: IncludeTest,
  limit: ListLimit,
  cursor: Cursor.optional(),
});

const room = 'outbound';
/** Of a callback: it proves nothing, or is about something else. */
const job = { status: 200, schema: FaxJob } as const;

const listFaxes = defineRoute({
  id: 'listFaxes',
  room,
  method: 'GET',
  path: '/fax',
  summary: 'List faxes, newest first',
  access: 'fax:read',
  anywhere: true,
  query: ListQuery,
  answer: { status: 200, schema: pageOf(FaxJob).meta({ id: 'FaxJobPage' }) },
  refusals: ['invalid_fax_number'],
});

const countFaxes = defineRoute({
  id: 'countFaxes',
  room,
  method: 'GET',
  path: '/fax/counts',
  summary: 'Count faxes by state',
  access: 'fax:read',
  anywhere: true,
  answer: { status: 200, schema: FaxCounts },
});

const listNumbers = defineRoute({
  id: 'listNumbers',
  room,
  method: 'GET',
  path: '/fax/numbers',
  summary: 'List the numbers that faxes were sent to, last used first',
  access: 'fax:send',
  anywhere: true,
  query: z.strictObject({
    q: z.string().max(40).optional().describe('part of the number, as typed'),
    limit: ListLimit,
    cursor: Cursor.optional(),
  }),
  answer: { status: 200, schema: pageOf(FaxNumber).meta({ id: 'FaxNumberPage' }) },
});

const checkNumber = defineRoute({
  id: 'checkNumber',
  room,
  method: 'GET',
  path: '/fax/numbers/check',
  summary: 'Get the facts about a number before sending a fax to it',
  access: 'fax:send',
  anywhere: true,
  query: z.strictObject({
    to: z.string().max(100),
    preview_id: Id.optional().describe(
      'id of a preview: its document is compared with the faxes of the last minutes to the number',
    ),
    resend_of: Id.optional().describe('id of the fax that is sent again on purpose; it is not compared'),
  }),
  answer: { status: 200, schema: NumberCheck },
  refusals: ['preview_expired'],
});

const getFax = defineRoute({
  id: 'getFax',
  room,
  method: 'GET',
  path: '/fax/:id',
  summary: 'Get the stored state of a fax',
  access: 'fax:read',
  anywhere: true,
  ignoresUnknownQuery: true,
  params: IdParams,
  answer: job,
  refusals: [...NO_FAX, ...STORED],
});

const servePdf = defineRoute({
  id: 'servePdf',
  room,
  method: 'GET',
  path: '/fax/:id/pdf',
  summary: 'Get the prepared PDF for the provider, by tokenized link',
  access: 'public',
  ignoresUnknownQuery: true,
  params: IdParams,
  query: z.strictObject({ token: z.string().max(200).default('') }),
  answer: { status: 200, contentType: 'application/pdf' },
  refusals: [...NO_FAX, 'link_invalid', 'link_without_token', ...STORED],
});

const action = <const N extends string, const S extends z.ZodType>(
  name: N,
  summary: string,
  access: 'fax:send' | 'fax:reconcile' | 'fax:refresh',
  body: S,
  refusals: readonly ErrorCode[],
) =>
  defineRoute({
    id: `${name}Fax`,
    room,
    method: 'POST',
    path: `/fax/:id/${name}`,
    summary,
    access,
    anywhere: true,
    params: IdParams,
    body,
    badBody: 'sentence',
    answer: job,
    refusals: [...NO_FAX, 'stale', ...refusals],
  });

const releaseFax = action('release', 'Release a held fax', 'fax:send', Versioned, [
  'not_held',
  'over_spending_limit',
  'sending_is_off',
]);
const cancelFax = action('cancel', 'Cancel a fax before its submission', 'fax:send', Versioned, [
  'too_late_to_cancel',
  'other_provider_fax',
  'provider_refused',
  'provider_unavailable',
]);

const scheduleFax = action(
  'schedule',
  'Move a scheduled fax to another time, or send it now',
  'fax:send',
  Versioned.extend({
    send_at: AnyTime.nullable().describe('the new time, at most 30 days ahead; null sends it now'),
    send_by: AnyTime.nullable().optional().describe('null for no limit; unchanged if left out'),
    send_when: z.enum(SEND_WHEN).optional().describe('unchanged if left out, but `now` with `send_at` null'),
  }),
  [
    'not_scheduled',
    'send_time_past',
    'send_time_too_far',
    'send_by_past',
    'send_by_too_early',
    'send_by_before_hours',
    'no_cheap_hours',
    'sending_is_off',
  ],
);

const reconcileFax = action(
  'reconcile',
  'Confirm the outcome of a fax that needs confirmation, or give its id at the provider; never resends',
  'fax:reconcile',
  Reconciliation,
  [
    'no_confirmation_needed',
    'never_submitted',
    'wrong_page_count',
    'send_time_past',
    'send_time_too_far',
    'other_provider_fax',
    'provider_refused',
    'provider_unavailable',
  ],
);

const refreshFax = defineRoute({
  id: 'refreshFax',
  room,
  method: 'POST',
  path: '/fax/:id/refresh',
  summary: 'Ask the provider for the state of a fax now',
  access: 'fax:refresh',
  anywhere: true,
  params: IdParams,
  answer: job,
  refusals: [...NO_FAX, 'other_provider_fax', 'provider_refused', 'provider_unavailable'],
});

const seenFax = defineRoute({
  id: 'markFaxSeen',
  room,
  method: 'PUT',
  path: '/fax/:id/seen',
  summary: 'Mark a failed fax as seen by its sender',
  description: 'This changes nothing for anyone else and does not change the fax.',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: job,
  refusals: NO_FAX,
});

const faxHistory = defineRoute({
  id: 'getFaxHistory',
  room,
  method: 'GET',
  path: '/fax/:id/history',
  summary: 'List the history of a fax, oldest first',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: { status: 200, schema: z.strictObject({ events: z.array(FaxEvent) }).meta({ id: 'FaxHistory' }) },
  refusals: [...NO_FAX, ...STORED],
});

const pdfOf = (id: string, path: string, summary: string) =>
  defineRoute({
    id,
    room,
    method: 'GET',
    path,
    summary,
    description: 'The security audit records who opened, printed or downloaded it.',
    access: 'fax:document',
    anywhere: true,
    params: IdParams,
    query: DocumentQuery,
    answer: { status: 200, contentType: 'application/pdf' },
    hasRanges: true,
    refusals: [...NO_FAX, ...STORED],
  });

/** Opens the document of a fax, perhaps without its first pages. */
const FaxDocumentQuery = DocumentQuery.extend({
  from_page: z.coerce
    .number()
    .int()
    .min(1)
    .max(LIMITS.quotedPages)
    .optional()
    .describe('first page to include, for example to get only pages that did not arrive'),
});

const documentOf = (id: string, path: string) =>
  defineRoute({
    ...pdfOf(id, path, 'Get the prepared PDF'),
    query: FaxDocumentQuery,
    refusals: [...NO_FAX, ...STORED, 'no_such_page'],
  });

const dayReports = defineRoute({
  id: 'getDayReports',
  room,
  method: 'GET',
  path: '/fax/reports',
  summary: 'Get the transmission reports of a day',
  description:
    'A zip with the signed report of each fax that was accepted on the day and whose document the caller may open, without test faxes, and `index.csv` with a line for each. It is made while it is read, so its length is not known before. The security audit records each report.',
  access: 'fax:document',
  anywhere: true,
  query: DocumentQuery.extend({
    date: z.iso.date().describe('day in the time zone of the office, e.g. `2026-11-23`'),
  }),
  answer: { status: 200, contentType: 'application/zip' },
  refusals: ['other_data_key'],
});

const faxOriginal = defineRoute({
  ...pdfOf('getFaxOriginal', '/fax/:id/original', 'Get the document before its pages were changed'),
  refusals: [...NO_FAX, ...STORED, 'original_unchanged'],
});

export const outboundRoutes = {
  ...sendingRoutes,
  // Before the route of a fax, which would match "reports" as an ID.
  dayReports,
  ...outboundCalendarRoutes,
  listFaxes,
  countFaxes,
  listNumbers,
  checkNumber,
  getFax,
  servePdf,
  releaseFax,
  cancelFax,
  scheduleFax,
  reconcileFax,
  ...againRoutes,
  ...outboundAboutRoutes,
  refreshFax,
  seenFax,
  faxHistory,
  faxDocument: documentOf('getFaxDocument', '/fax/:id/document'),
  faxOriginal,
  faxReport: pdfOf('getFaxReport', '/fax/:id/report', 'Get the signed transmission report'),
} as const;

/** The names of earlier releases for the same things. */
export const olderFaxRoutes = {
  adminListFaxes: defineRoute({
    ...listFaxes,
    id: 'listAdminFaxes',
    path: '/admin/fax-jobs',
    ignoresUnknownQuery: true,
  }),
  adminGetFax: defineRoute({ ...getFax, id: 'getAdminFax', path: '/admin/fax-jobs/:id' }),
  adminFaxPdf: documentOf('getAdminFaxPdf', '/admin/fax-jobs/:id/pdf'),
  adminRefreshFax: defineRoute({ ...refreshFax, id: 'refreshAdminFax', path: '/admin/fax-jobs/:id/refresh' }),
} as const;
