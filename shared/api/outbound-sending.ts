import { z } from 'zod';
import { API_TYPE_CHOICE } from '../document-types.ts';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { Done, FaxJob, FaxPreview } from './outbound-shapes.ts';
import { defineRoute } from './route.ts';
import { AnyTime, FormFlag, formList, Id, IdParams } from './values.ts';

const room = 'outbound';

export const MailboxName = z
  .string()
  .min(1)
  .max(LIMITS.displayNameLength)
  .describe('id or label of the mailbox it is sent for; needed by who may send for several mailboxes only');

const SendFields = z.strictObject({
  to: z.string().min(1).max(40).describe('+ and 6 to 20 digits, or a national number of FAX_DEFAULT_COUNTRY'),
  queue_only: FormFlag.default(false),
  send_now: FormFlag.default(false),
  urgent: FormFlag.default(false),
  send_by_call: FormFlag.default(false).describe(
    'place a call even to one of our own numbers, which are otherwise delivered here without one',
  ),
  send_at: AnyTime.optional().describe(`not before this time; at most ${LIMITS.sendAheadDays} days ahead`),
  clean_greys: FormFlag.default(false).describe(
    'sends the pages in black and white as the preview with it shows them',
  ),
  titles: formList(
    z.string().max(LIMITS.titleLength).regex(VISIBLE_LINE, VISIBLE_RULE),
    LIMITS.filesPerFax,
  ).describe('one for each file, in order, each in a field of its own'),
  mailbox: MailboxName.optional(),
});

const SendFiles = {
  file: {
    description: `${API_TYPE_CHOICE}; several files are merged in order`,
    required: true,
    repeated: true,
  },
} as const;
/** The files may have come with a preview. */
const FilesOrPreview = { file: { ...SendFiles.file, required: false } } as const;

const BAD_DOCUMENT = ['document_invalid', 'document_too_large', 'document_unsupported'] as const;

/** Reasons not to accept a fax, however its document arrives. */
export const ACCEPTANCE_REFUSALS = [
  'invalid_fax_number',
  'invalid_idempotency_key',
  'idempotency_key_reused',
  'which_mailbox',
  'unknown_mailbox',
  'mailbox_refused',
  'no_mailbox',
  'no_provider',
  'number_blocked',
  'sending_is_on',
  'send_time_past',
  'send_time_too_far',
  'acceptance_in_doubt',
  'disk_full',
] as const;

const sendFax = defineRoute({
  id: 'sendFax',
  room,
  method: 'POST',
  path: '/fax',
  summary: 'Submit a fax',
  description:
    'Acceptance (202) is not a provider submission and not a delivery: follow `delivery_state`. Requests with one Idempotency-Key are one fax. Form fields that are not known are ignored and named in the header `X-Ignored`.',
  access: 'fax:send',
  anywhere: true,
  headers: { 'Idempotency-Key': '1-128 visible ASCII characters; makes the request safe to repeat' },
  form: {
    fields: SendFields.extend({
      preview_id: Id.optional().describe('sends the files of this preview; then no file is attached'),
      resend_of: Id.optional().describe(
        'the ended fax that a person sends again with this one, perhaps changed; only noted, the files come with the request',
      ),
    }),
    files: FilesOrPreview,
    ignoresUnknown: true,
    oneOf: ['file', 'preview_id'],
  },
  answer: { status: 202, schema: FaxJob },
  refusals: [
    ...ACCEPTANCE_REFUSALS,
    ...BAD_DOCUMENT,
    'file_needed',
    'wrong_titles',
    'preview_files_gone',
    'no_such_fax',
    'not_ended',
  ],
});

const Wait = z.strictObject({
  wait: FormFlag.default(true).describe('false answers once the pages are counted'),
});
const preview = { status: 200, schema: FaxPreview } as const;
const NO_PREVIEW = ['preview_expired'] as const;

const previewFax = defineRoute({
  id: 'previewFax',
  room,
  method: 'POST',
  path: '/fax/preview',
  summary: 'See what the far machine will print',
  description: `No job is recorded. The pages stay for ${LIMITS.previewMinutes} minutes after the preview was last asked for. A caller has at most ${LIMITS.previewsPerCaller} at a time; one more ends the oldest. While all of them are waited for, another is refused.`,
  access: 'fax:send',
  anywhere: true,
  query: Wait,
  form: { fields: SendFields.extend({ to: SendFields.shape.to.optional() }), files: SendFiles },
  answer: preview,
  refusals: [...BAD_DOCUMENT, 'wrong_titles', 'invalid_fax_number', 'previews_under_way', 'preview_expired'],
});

const previewState = defineRoute({
  id: 'previewState',
  room,
  method: 'GET',
  path: '/fax/preview/:id',
  summary: 'How far a preview is drawn',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  answer: preview,
  refusals: NO_PREVIEW,
});

const redrawPreview = defineRoute({
  id: 'redrawPreview',
  room,
  method: 'POST',
  path: '/fax/preview/:id/redraw',
  summary: 'The same files with or without clean_greys, or for another number, without a new upload',
  description: 'A preview of its own. Asking again for one that is there answers that one.',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  query: Wait,
  body: z.strictObject({
    clean_greys: z.boolean(),
    to: SendFields.shape.to.optional().describe('for whom the header line is drawn; left out: as before'),
    send_by_call: z
      .boolean()
      .default(false)
      .describe('to one of our own numbers there is a header line only by call'),
  }),
  badBody: 'sentence',
  answer: preview,
  refusals: [...NO_PREVIEW, 'invalid_fax_number', 'previews_under_way'],
});

const removePreview = defineRoute({
  id: 'removePreview',
  room,
  method: 'DELETE',
  path: '/fax/preview/:id',
  summary: 'End a preview, also while it is drawn',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  answer: { status: 200, schema: Done },
  refusals: NO_PREVIEW,
});

const previewPage = defineRoute({
  id: 'previewPage',
  room,
  method: 'GET',
  path: '/fax/preview/:id/:page.png',
  summary: 'One page of a preview as a picture',
  description: `Waits up to ${LIMITS.previewPageSeconds} seconds until the page is drawn.`,
  access: 'fax:send',
  anywhere: true,
  params: z.strictObject({ id: Id, page: z.coerce.number().int().min(1) }),
  answer: { status: 200, contentType: 'image/png' },
  refusals: [...NO_PREVIEW, 'document_invalid', 'no_such_page', 'page_not_drawn'],
});

/** Routes that accept a fax and its preview. */
export const sendingRoutes = {
  sendFax,
  previewFax,
  previewState,
  redrawPreview,
  removePreview,
  previewPage,
} as const;
