import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { DELIVERY_STATES } from '../states.ts';
import { FIXED_MESSAGES } from './errors.ts';
import { CallbackAnswer, FaxEvent, FaxJob, FaxPreview, Reconciliation } from './fax.ts';
import { defineRoute } from './route.ts';
import { Cursor, FormFlag, Id, IdParams, ListLimit, pageOf, Version } from './values.ts';

const SendFields = z.strictObject({
  to: z.string().min(1).max(40).describe('country code starting with +, or a national number'),
  queue_only: FormFlag.default(false),
  send_now: FormFlag.default(false),
  urgent: FormFlag.default(false),
  send_by_call: FormFlag.default(false),
});

const SendFiles = {
  file: {
    description: 'PDF, TXT, TIFF, PNG or JPEG; several files are merged in order',
    required: true,
    repeated: true,
  },
} as const;

const Versioned = z.strictObject({ delivery_version: Version });
const ListQuery = z.strictObject({
  state: z.enum(DELIVERY_STATES).optional(),
  to: z.string().max(40).optional().describe('exact number'),
  q: z.string().max(100).optional().describe('part of the number or of the file name'),
  since: z.iso.datetime({ offset: true }).optional(),
  limit: ListLimit,
  cursor: Cursor.optional(),
});

const room = 'outbound';
const noFax = { 404: FIXED_MESSAGES.noFax };
const job = { status: 200, schema: FaxJob } as const;
const stale = { ...noFax, 409: 'It changed in the meantime, or its state does not allow this.' };

const sendFax = defineRoute({
  id: 'sendFax',
  room,
  method: 'POST',
  path: '/fax',
  summary: 'Submit a fax',
  description:
    'Acceptance (202) is not a provider submission and not a delivery: follow `delivery_state`. Requests with one Idempotency-Key are one fax.',
  access: 'fax:send',
  headers: { 'Idempotency-Key': '1-128 visible ASCII characters; makes the request safe to repeat' },
  form: { fields: SendFields, files: SendFiles },
  answer: { status: 202, schema: FaxJob },
  refusals: {
    400: 'The number or the document is not valid.',
    409: 'No provider, a stale form, or an Idempotency-Key of another request.',
    413: FIXED_MESSAGES.tooLarge,
    415: 'Documents of this type cannot be faxed.',
    503: 'The acceptance is in doubt; repeating it with the same Idempotency-Key is safe.',
    507: 'The disk of the gateway is full; nothing was recorded.',
  },
});

const previewFax = defineRoute({
  id: 'previewFax',
  room,
  method: 'POST',
  path: '/fax/preview',
  summary: 'See what the far machine will print',
  description: `No job is recorded. The pages stay for ${LIMITS.previewMinutes} minutes.`,
  access: 'fax:send',
  form: {
    fields: SendFields.extend({ to: SendFields.shape.to.optional(), clean_greys: FormFlag.default(false) }),
    files: SendFiles,
  },
  answer: { status: 200, schema: FaxPreview },
  refusals: { 400: 'The document is not valid.', 413: FIXED_MESSAGES.tooLarge, 415: 'Not a supported type.' },
});

const previewPage = defineRoute({
  id: 'previewPage',
  room,
  method: 'GET',
  path: '/fax/preview/:id/:page.png',
  summary: 'One page of a preview as a picture',
  access: 'fax:send',
  params: z.strictObject({ id: Id, page: z.coerce.number().int().min(1) }),
  answer: { status: 200, contentType: 'image/png' },
  refusals: { 404: 'The preview has expired.' },
});

const listFaxes = defineRoute({
  id: 'listFaxes',
  room,
  method: 'GET',
  path: '/fax',
  summary: 'List faxes, newest first',
  access: 'fax:read',
  query: ListQuery,
  answer: { status: 200, schema: pageOf(FaxJob).meta({ id: 'FaxJobPage' }) },
});

const getFax = defineRoute({
  id: 'getFax',
  room,
  method: 'GET',
  path: '/fax/:id',
  summary: 'The stored state of a fax',
  access: 'fax:read',
  params: IdParams,
  answer: job,
  refusals: noFax,
});

const servePdf = defineRoute({
  id: 'servePdf',
  room,
  method: 'GET',
  path: '/fax/:id/pdf',
  summary: 'The prepared PDF for the provider, by tokenised link',
  access: 'public',
  params: IdParams,
  query: z.strictObject({ token: z.string().max(200).default('') }),
  answer: { status: 200, contentType: 'application/pdf' },
  refusals: { 403: 'The link is wrong or has expired.', ...noFax },
});

const action = <const N extends string, const S extends z.ZodType>(
  name: N,
  summary: string,
  access: 'fax:send' | 'fax:reconcile' | 'fax:refresh',
  body: S,
) =>
  defineRoute({
    id: `${name}Fax`,
    room,
    method: 'POST',
    path: `/fax/:id/${name}`,
    summary,
    access,
    params: IdParams,
    body,
    badBody: 'sentence',
    answer: job,
    refusals: stale,
  });

const releaseFax = action('release', 'Let a held fax go', 'fax:send', Versioned);
const cancelFax = action('cancel', 'Cancel a fax before its submission', 'fax:send', Versioned);

const reconcileFax = action(
  'reconcile',
  'Decide a doubtful fax, or name the provider fax it became; never resends',
  'fax:reconcile',
  Reconciliation,
);

const resendFax = defineRoute({
  id: 'resendFax',
  room,
  method: 'POST',
  path: '/fax/:id/resend',
  summary: 'Send the same document again as a new fax',
  access: 'fax:send',
  params: IdParams,
  headers: { 'Idempotency-Key': '1-128 visible ASCII characters; makes the request safe to repeat' },
  body: z.strictObject({ to: z.string().min(1).max(40).optional() }),
  bodyOptional: true,
  badBody: 'sentence',
  answer: { status: 202, schema: FaxJob },
  refusals: stale,
});

const refreshFax = defineRoute({
  id: 'refreshFax',
  room,
  method: 'POST',
  path: '/fax/:id/refresh',
  summary: 'Ask the provider for the state now',
  access: 'fax:refresh',
  params: IdParams,
  answer: job,
  refusals: { ...noFax, 503: 'The provider cannot be asked right now.' },
});

const faxHistory = defineRoute({
  id: 'faxHistory',
  room,
  method: 'GET',
  path: '/fax/:id/history',
  summary: 'What happened to a fax, oldest first',
  access: 'fax:read',
  params: IdParams,
  answer: { status: 200, schema: z.strictObject({ events: z.array(FaxEvent) }).meta({ id: 'FaxHistory' }) },
  refusals: noFax,
});

const pdfOf = (id: string, path: string, summary: string) =>
  defineRoute({
    id,
    room,
    method: 'GET',
    path,
    summary,
    access: 'fax:document',
    params: IdParams,
    answer: { status: 200, contentType: 'application/pdf' },
    refusals: noFax,
  });

const cloudoneCallback = defineRoute({
  id: 'cloudoneCallback',
  room,
  method: 'POST',
  path: '/cloudone-callback',
  summary: 'Outcome of a fax, signed by the provider',
  description: 'A multipart or url-encoded form, signed in X-Cloudone-Signature with the callback token.',
  access: 'public',
  query: z.strictObject({ job_id: Id, attempt_id: Id }),
  headers: { 'X-Cloudone-Signature': 'lowercase hexadecimal HMAC-SHA1' },
  answer: { status: 200, schema: CallbackAnswer },
  refusals: { 401: 'The signature is missing or wrong.', 409: 'This is not the current attempt of the fax.' },
});

export const outboundRoutes = {
  sendFax,
  previewFax,
  previewPage,
  listFaxes,
  getFax,
  servePdf,
  releaseFax,
  cancelFax,
  reconcileFax,
  resendFax,
  refreshFax,
  faxHistory,
  faxDocument: pdfOf('faxDocument', '/fax/:id/document', 'The prepared PDF'),
  faxReport: pdfOf('faxReport', '/fax/:id/report', 'The transmission report, one page'),
  cloudoneCallback,
} as const;

/** The names of earlier releases for the same things. */
export const olderFaxRoutes = {
  adminListFaxes: defineRoute({ ...listFaxes, id: 'adminListFaxes', path: '/admin/fax-jobs' }),
  adminGetFax: defineRoute({ ...getFax, id: 'adminGetFax', path: '/admin/fax-jobs/:id' }),
  adminFaxPdf: pdfOf('adminFaxPdf', '/admin/fax-jobs/:id/pdf', 'The prepared PDF'),
  adminRefreshFax: defineRoute({ ...refreshFax, id: 'adminRefreshFax', path: '/admin/fax-jobs/:id/refresh' }),
} as const;
