import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { FIXED_MESSAGES } from './errors.ts';
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
  to: z.string().min(1).max(40).describe('country code starting with +, or a national number'),
  queue_only: FormFlag.default(false),
  send_now: FormFlag.default(false),
  urgent: FormFlag.default(false),
  send_by_call: FormFlag.default(false),
  send_at: AnyTime.optional().describe(`not before this time; at most ${LIMITS.sendAheadDays} days ahead`),
  clean_greys: FormFlag.default(false).describe(
    'sends the pages in black and white as the preview with it shows them',
  ),
  titles: formList(z.string().max(LIMITS.titleLength), LIMITS.filesPerFax).describe(
    'one for each file, in order, each in a field of its own',
  ),
  mailbox: MailboxName.optional(),
});

const SendFiles = {
  file: {
    description: 'PDF, TXT, TIFF, PNG or JPEG; several files are merged in order',
    required: true,
    repeated: true,
  },
} as const;
/** The files may have come with a preview. */
const FilesOrPreview = { file: { ...SendFiles.file, required: false } } as const;

const sendFax = defineRoute({
  id: 'sendFax',
  room,
  method: 'POST',
  path: '/fax',
  summary: 'Submit a fax',
  description:
    'Acceptance (202) is not a provider submission and not a delivery: follow `delivery_state`. Requests with one Idempotency-Key are one fax.',
  access: 'fax:send',
  anywhere: true,
  headers: { 'Idempotency-Key': '1-128 visible ASCII characters; makes the request safe to repeat' },
  form: {
    fields: SendFields.extend({
      preview_id: Id.optional().describe('sends the files of this preview; then no file is attached'),
    }),
    files: FilesOrPreview,
  },
  answer: { status: 202, schema: FaxJob },
  refusals: {
    400: 'The number or the document is not valid.',
    409: 'No provider, a stale form, an expired preview, or an Idempotency-Key of another request.',
    413: FIXED_MESSAGES.tooLarge,
    415: 'Documents of this type cannot be faxed.',
    503: 'The acceptance is in doubt; repeating it with the same Idempotency-Key is safe.',
    507: 'The disk of the gateway is full; nothing was recorded.',
  },
});

const Wait = z.strictObject({
  wait: FormFlag.default(true).describe('false answers once the pages are counted'),
});
const preview = { status: 200, schema: FaxPreview } as const;
const noPreview = { 404: 'The preview has expired.' };

const previewFax = defineRoute({
  id: 'previewFax',
  room,
  method: 'POST',
  path: '/fax/preview',
  summary: 'See what the far machine will print',
  description: `No job is recorded. The pages stay for ${LIMITS.previewMinutes} minutes after the preview was last asked for. A caller has at most ${LIMITS.previewsPerCaller} at a time; one more ends the oldest.`,
  access: 'fax:send',
  anywhere: true,
  query: Wait,
  form: { fields: SendFields.extend({ to: SendFields.shape.to.optional() }), files: SendFiles },
  answer: preview,
  refusals: { 400: 'The document is not valid.', 413: FIXED_MESSAGES.tooLarge, 415: 'Not a supported type.' },
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
  refusals: noPreview,
});

const redrawPreview = defineRoute({
  id: 'redrawPreview',
  room,
  method: 'POST',
  path: '/fax/preview/:id/redraw',
  summary: 'The same files with or without clean_greys, without a new upload',
  description: 'A preview of its own. Asking again for one that is there answers that one.',
  access: 'fax:send',
  anywhere: true,
  params: IdParams,
  query: Wait,
  body: z.strictObject({ clean_greys: z.boolean() }),
  badBody: 'sentence',
  answer: preview,
  refusals: noPreview,
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
  refusals: noPreview,
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
  refusals: {
    400: 'The document is not valid.',
    404: 'The preview has expired, or has no such page.',
    503: 'The page is not drawn yet.',
  },
});

/** How a fax and its preview come in. */
export const sendingRoutes = {
  sendFax,
  previewFax,
  previewState,
  redrawPreview,
  removePreview,
  previewPage,
} as const;
