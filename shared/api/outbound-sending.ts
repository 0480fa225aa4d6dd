import { z } from 'zod';
import { API_TYPE_CHOICE } from '../document-types.ts';
import { PAGE_FORMS } from '../encoded-pages.ts';
import { GUARD_CHECKS, GUARD_MODES } from '../guard.ts';
import { LIMITS } from '../limits.ts';
import { SEND_WHEN } from '../send-when.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { coverFormFields } from './covers.ts';
import { aboutFormFields } from './outbound-about-shapes.ts';
import { PageEdits, PageEditsField } from './outbound-edits.ts';
import { EncodedPreview, FaxJob, FaxPreview } from './outbound-shapes.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Done, FormFlag, formList, Id, IdParams, queryList } from './values.ts';

const room = 'outbound';

export const MailboxName = z
  .string()
  .min(1)
  .max(LIMITS.displayNameLength)
  .describe(
    'id or label of the mailbox it is sent for; required if the caller can send for several mailboxes only',
  );

/** Starts empty on the page `/docs`, which would fill in a text such as "string" or the present time. */
const STARTS_EMPTY = { examples: [''] };

export const SendFields = z.strictObject({
  to: z
    .string()
    .min(1)
    .max(40)
    .describe(
      'recipient: `+` and 6 to 20 digits, or a national number of the country in `FAX_DEFAULT_COUNTRY`',
    )
    .meta({ examples: ['+12025550123'] }),
  queue_only: FormFlag.default(false).describe(
    'accepts the fax without sending it, while sending is off (`FAX_DISABLED`); refused with 409 when sending is on. The fax is `held` until a person releases it',
  ),
  send_now: FormFlag.default(false).describe(
    'sends it at once, even to a number whose faxes are sent together; those that wait for that number go in the same call',
  ),
  urgent: FormFlag.default(false).describe(
    'sends it before other faxes that wait for the same number or line, and without waiting for others',
  ),
  send_by_call: FormFlag.default(false).describe(
    'place a call even to one of our own numbers; otherwise a fax to them is delivered here without a call',
  ),
  send_at: AnyTime.optional()
    .describe(
      `time to send it, ISO 8601 with an offset, at most ${LIMITS.sendAheadDays} days ahead; at once if left out`,
    )
    .meta(STARTS_EMPTY),
  send_by: AnyTime.optional()
    .describe('latest time to begin sending it, after `send_at`; what could not be sent by then fails')
    .meta(STARTS_EMPTY),
  send_when: z
    .enum(SEND_WHEN)
    .default('now')
    .describe(
      '`cheap_hours`: each attempt begins in the hours of `CHEAP_HOURS`; `recipient_hours`: in those of the contact',
    ),
  clean_greys: FormFlag.default(false).describe(
    'sends the pages in black and white, as in the preview with clean_greys',
  ),
  page_form: z
    .enum(PAGE_FORMS)
    .default('automatic')
    .describe(
      '`automatic` sends the pages that the contact of the number asks for; `ordinary` sends ordinary pages this time, unless the contact asks for encrypted ones; `encoded` sends the encoded pages of the contact even where they take more than three times as long',
    ),
  titles: formList(
    z.string().max(LIMITS.titleLength).regex(VISIBLE_LINE, VISIBLE_RULE),
    LIMITS.filesPerFax,
  ).describe('one title for each file, in order, each in a separate field'),
  mailbox: MailboxName.optional().meta(STARTS_EMPTY),
  page_edits: PageEditsField.optional().meta(STARTS_EMPTY),
  ...aboutFormFields,
});

/** Form fields of the wrong-number guard. */
export const guardFormFields = {
  guard: z
    .enum(GUARD_MODES)
    .default('ignore')
    .describe(
      '`refuse` refuses the fax with 409 for findings of the wrong-number guard (see `findings` of the number check) that refuse, or that ask and are not answered; `ignore` accepts it as before',
    ),
  guard_digits: z
    .string()
    .regex(/^\d{4}$/u, 'must be four digits')
    .optional()
    .describe('last four digits of the number, typed again by a person: the answer to questions about them')
    .meta(STARTS_EMPTY),
  guard_confirmed: queryList(GUARD_CHECKS)
    .default([])
    .describe('checks whose question a person answered with yes'),
} as const;

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
  'shared_key_missing',
  'encrypted_pages_only',
  'too_many_encoded_pages',
  'sending_is_on',
  'send_time_past',
  'send_time_too_far',
  'send_by_past',
  'send_by_too_early',
  'send_by_before_hours',
  'no_cheap_hours',
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
    'Acceptance (202) is not a provider submission and not a delivery: check `delivery_state`. Requests with the same Idempotency-Key are one fax. Optional form fields that are empty count as left out. Unknown form fields are ignored and listed in the header `X-Ignored`.',
  access: 'fax:send',
  anywhere: true,
  ignoresUnknownQuery: true,
  ownKey: true,
  form: {
    fields: SendFields.extend({
      preview_id: Id.optional()
        .describe('id of a preview whose files are sent; do not attach files then')
        .meta(STARTS_EMPTY),
      answers: Id.optional()
        .describe('id of the received fax that this one answers, which the caller may read; only recorded')
        .meta(STARTS_EMPTY),
      resend_of: Id.optional()
        .describe(
          'id of the finished fax that this one sends again, possibly changed; only recorded, the files come from the request',
        )
        .meta(STARTS_EMPTY),
      printed: formList(Id, LIMITS.filesPerFax).describe(
        'ids of printed documents of the caller, each in a separate field; removed when the fax is accepted',
      ),
      ...coverFormFields,
      ...guardFormFields,
    }),
    files: FilesOrPreview,
    ignoresUnknown: true,
    oneOf: ['file', 'preview_id'],
  },
  answer: { status: 202, schema: FaxJob },
  answerWords:
    'The fax is recorded and will be sent. It is not delivered yet: read it again until `delivery_state` is final.',
  refusals: [
    ...ACCEPTANCE_REFUSALS,
    ...BAD_DOCUMENT,
    'file_needed',
    'file_and_preview',
    'no_such_received_fax',
    'fax_archived',
    'wrong_titles',
    'wrong_page_edits',
    'not_your_signature',
    'preview_files_gone',
    'no_such_fax',
    'not_ended',
    'code_for_other_number',
    'guard_refused',
    'unknown_cover',
    'cover_refused',
  ],
});

const Wait = z.strictObject({
  wait: FormFlag.default(true).describe('false returns once the pages are counted'),
});
const preview = { status: 200, schema: FaxPreview } as const;
const NO_PREVIEW = ['preview_expired'] as const;

const previewFax = defineRoute({
  id: 'previewFax',
  room,
  method: 'POST',
  path: '/fax/preview',
  summary: 'Create a preview of the pages as the receiving machine prints them',
  description: `No job is recorded. The pages stay for ${LIMITS.previewMinutes} minutes after the last request for the preview. A caller can have at most ${LIMITS.previewsPerCaller} at a time; another one ends the oldest. While requests are waiting for all of them, another one is refused.`,
  access: 'fax:send',
  anywhere: true,
  query: Wait,
  form: { fields: SendFields.extend({ to: SendFields.shape.to.optional() }), files: SendFiles },
  answer: preview,
  refusals: [
    ...BAD_DOCUMENT,
    'wrong_titles',
    'wrong_page_edits',
    'not_your_signature',
    'invalid_fax_number',
    'previews_under_way',
    'preview_expired',
  ],
});

const previewState = defineRoute({
  id: 'getPreview',
  room,
  method: 'GET',
  path: '/fax/preview/:id',
  summary: 'Get the progress of a preview',
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
  summary:
    'Create a preview of the same files with or without clean_greys, with changed pages, or for another number, without a new upload',
  description: 'This is a separate preview. A repeated request returns the existing one.',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  query: Wait,
  body: z.strictObject({
    clean_greys: z.boolean(),
    to: SendFields.shape.to.optional().describe('recipient for the header line; unchanged if left out'),
    send_by_call: z
      .boolean()
      .default(false)
      .describe('a fax to one of our own numbers has a header line only if a call is placed'),
    page_edits: PageEdits.nullable()
      .optional()
      .describe(
        'changes to the pages, as in the form field of `POST /fax`; null for none, unchanged if left out',
      ),
  }),
  badBody: 'sentence',
  answer: preview,
  refusals: [
    ...NO_PREVIEW,
    'invalid_fax_number',
    'previews_under_way',
    'wrong_page_edits',
    'not_your_signature',
  ],
});

const previewEncoded = defineRoute({
  id: 'previewEncodedPages',
  room,
  method: 'GET',
  path: '/fax/preview/:id/encoded',
  summary: 'Estimate the encoded pages that the files of a preview would be sent as',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  query: z.strictObject({
    to: SendFields.shape.to,
    page_form: SendFields.shape.page_form,
    send_by_call: SendFields.shape.send_by_call,
  }),
  answer: { status: 200, schema: EncodedPreview },
  refusals: [...NO_PREVIEW, ...BAD_DOCUMENT, 'invalid_fax_number'],
});

const removePreview = defineRoute({
  id: 'removePreview',
  room,
  method: 'DELETE',
  path: '/fax/preview/:id',
  summary: 'Delete a preview, even while it is being created',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  answer: { status: 200, schema: Done },
  refusals: NO_PREVIEW,
});

const previewPage = defineRoute({
  id: 'getPreviewPage',
  room,
  method: 'GET',
  path: '/fax/preview/:id/:page.png',
  summary: 'Get one page of a preview as an image',
  description: `Waits up to ${LIMITS.previewPageSeconds} seconds until the page is ready.`,
  access: 'fax:send',
  anywhere: true,
  params: z.strictObject({ id: Id, page: z.coerce.number().int().min(1) }),
  answer: { status: 200, contentType: 'image/png' },
  hasRanges: true,
  refusals: [...NO_PREVIEW, 'document_invalid', 'no_such_page', 'page_not_drawn'],
});

const previewUnchangedPage = defineRoute({
  id: 'getUnchangedPage',
  room,
  method: 'GET',
  path: '/fax/preview/:id/unchanged/:page.png',
  summary: 'Get one page of the files of a preview as an image, without changes and header line',
  description:
    'The picture has the size of the page alone, so that its shares are those of `page_edits`. Pages are counted through all files.',
  access: 'fax:send',
  anywhere: true,
  params: z.strictObject({ id: Id, page: z.coerce.number().int().min(1) }),
  query: z.strictObject({
    width: z.coerce.number().int().min(50).max(1600).default(1200).describe('of the picture in pixels'),
  }),
  answer: { status: 200, contentType: 'image/png' },
  hasRanges: true,
  refusals: [...NO_PREVIEW, 'document_invalid', 'document_too_large', 'no_such_page'],
});

/** Routes that accept a fax and its preview. */
export const sendingRoutes = {
  sendFax,
  previewFax,
  previewState,
  redrawPreview,
  previewEncoded,
  removePreview,
  previewPage,
  previewUnchangedPage,
} as const;
