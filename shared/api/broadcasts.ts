import { z } from 'zod';
import { PAGE_FORMS } from '../encoded-pages.ts';
import { LIMITS } from '../limits.ts';
import { BROADCAST_STATES, RECIPIENT_STATES } from '../states/broadcasts.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { ContactRef } from './contacts-fields.ts';
import { coverFormFields } from './covers.ts';
import { aboutFields, aboutFormFields } from './outbound-about-shapes.ts';
import { FaxEdits } from './outbound-edits.ts';
import { ACCEPTANCE_REFUSALS, SendFields } from './outbound-sending.ts';
import { defineRoute } from './route.ts';
import {
  Cursor,
  FormFlag,
  Id,
  IdList,
  IdParams,
  IncludeTest,
  ListLimit,
  OptionalTime,
  pageOf,
  queryList,
  Time,
  Version,
} from './values.ts';

const room = 'broadcasts';
/** Hours in which a broadcast may be sent. */
export const BROADCAST_HOURS = ['now', 'cheap_hours'] as const;
const Count = z.number().int().min(0);
const most = LIMITS.broadcastRecipients.toLocaleString('en');

const Counts = z
  .strictObject({
    waiting: Count.describe('recipients whose fax is not made yet'),
    queued: Count.describe('faxes that are ready to be sent'),
    held: Count.describe('faxes that a person has to release'),
    sending: Count.describe('faxes that are being sent'),
    delivered: Count,
    failed: Count,
    unconfirmed: Count.describe('faxes whose outcome a person has to confirm'),
    cancelled: Count,
    refused: Count.describe('recipients to whom no fax was made, such as one who opted out meanwhile'),
  })
  .meta({ id: 'BroadcastCounts' });

const Broadcast = z
  .strictObject({
    id: Id,
    name: z.string().describe('name by which people find it; the name of the document if none was given'),
    state: z
      .enum(BROADCAST_STATES)
      .describe('`finished` once every recipient has an outcome; `cancelled` once the rest was canceled'),
    paused_reason: z.string().nullable().describe('reason why the gateway paused it; null if a person did'),
    recipients: Count,
    counts: Counts,
    document: z.strictObject({
      file_name: z.string(),
      pages: Count,
      size_bytes: Count,
      sha256: z.string().length(64),
    }),
    edits: FaxEdits.nullable().describe('changes to the pages of the document; null where there are none'),
    page_form: z.enum(PAGE_FORMS).describe('form of the pages as it was asked for'),
    ...aboutFields,
    mailbox: z.string().nullable().describe('label of the mailbox it is sent for'),
    send_at: OptionalTime.describe('time at which it begins; null for at once'),
    send_by: OptionalTime.describe('latest time at which a fax is sent; null for no limit'),
    send_when: z.enum(BROADCAST_HOURS).describe('`cheap_hours` if it is sent in cheap hours only'),
    cover: z
      .strictObject({
        id: Id,
        name: z.string().describe('its name when the broadcast was made'),
        fields: z.record(z.string(), z.string()).describe('values by field, as they were given'),
      })
      .nullable()
      .describe('cover page of each fax, with its values before they are merged; null for none'),
    header_name: z
      .string()
      .nullable()
      .describe(
        'name in the header line of its faxes that the sender had set when it was made; null for that of the office',
      ),
    opt_out_line: z
      .string()
      .nullable()
      .describe('line with the way to opt out that its faxes carry; null for none'),
    created_at: Time,
    updated_at: Time.describe('time of the last change of the broadcast or of a recipient'),
    created_by: z.strictObject({ id: Id, name: z.string() }),
    test: z.boolean().describe('true for a broadcast of a test key, whose faxes are handed to nobody'),
    version: Version.describe('grows with each change of the broadcast or of a recipient'),
  })
  .meta({ id: 'Broadcast' });

const Merged = z.record(z.string(), z.string()).describe('further columns of the list, by their heading');

const BroadcastRecipient = z
  .strictObject({
    position: z.number().int().min(1).describe('place in the list of recipients'),
    line: z.number().int().min(1).describe('line of the list that named it'),
    to: z.string().describe('E.164'),
    name: z.string().nullable().describe('name in the list; null if it has none'),
    contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
    fields: Merged,
    state: z.enum(RECIPIENT_STATES),
    reason: z.string().nullable().describe('sentence on a failure, a hold or a refusal; null for none'),
    fax_id: Id.nullable().describe('its fax, the newest one if the number was tried again; null for none'),
    updated_at: Time,
  })
  .meta({ id: 'BroadcastRecipient' });

const CheckedRecipient = z
  .strictObject({
    line: z.number().int().min(1).describe('line of the list'),
    text: z.string().describe('number as the list has it'),
    to: z.string().nullable().describe('E.164; null if it is no number'),
    name: z.string().nullable(),
    problem: z.string().nullable().describe('sentence why no fax is sent to it; null if one is'),
    warning: z.string().nullable().describe('sentence about a number that is sent to all the same'),
    fields: Merged,
  })
  .meta({ id: 'CheckedRecipient' });

const SentBroadcast = z
  .strictObject({
    broadcast: Broadcast.nullable().describe('null for a preview'),
    recipients: Count.describe('recipients that get a fax'),
    left_out: Count.describe('lines of the list to which no fax is sent'),
    checked: z
      .array(CheckedRecipient)
      .describe('every line in order for a preview, otherwise those that were left out'),
  })
  .meta({ id: 'SentBroadcast' });

const BroadcastEvent = z
  .strictObject({ at: Time, actor: z.string(), text: z.string() })
  .meta({ id: 'BroadcastEvent' });

const { mailbox, send_at, send_by, clean_greys, send_by_call, page_form, page_edits } = SendFields.shape;
const STARTS_EMPTY = { examples: [''] };

const sendBroadcast = defineRoute({
  id: 'sendBroadcast',
  room,
  method: 'POST',
  path: '/broadcasts',
  summary: 'Send one document to many recipients',
  description: [
    `Each of at most ${most} recipients gets its own fax under one broadcast. Single faxes go before those of a broadcast.`,
    'The list is checked before anything is recorded: duplicates, wrong numbers, blocked and opted-out recipients and telephone numbers are named with their line. A list with such lines is refused unless `leave_out=true` sends to the others.',
    'With `preview=true` the answer is 200, and nothing is recorded.',
    'Acceptance (202) is not a delivery: see the `counts` of the broadcast.',
  ].join(' '),
  access: 'fax:send',
  anywhere: true,
  form: {
    fields: z.strictObject({
      recipients: z
        .string()
        .max(LIMITS.broadcastListBytes)
        .optional()
        .describe(
          'numbers, one for each line or separated by commas or semicolons, or CSV whose first line names the columns',
        )
        .meta(STARTS_EMPTY),
      tag: z
        .string()
        .max(LIMITS.contactLengths.tag)
        .optional()
        .describe('sends to the contacts with this tag; requires contacts:read')
        .meta(STARTS_EMPTY),
      preview_id: Id.optional()
        .describe('id of a preview whose files are sent; do not attach files then')
        .meta(STARTS_EMPTY),
      name: z
        .string()
        .trim()
        .max(LIMITS.displayNameLength)
        .regex(VISIBLE_LINE, VISIBLE_RULE)
        .optional()
        .describe('name by which people find the broadcast')
        .meta(STARTS_EMPTY),
      preview: FormFlag.default(false).describe('checks the list without sending anything'),
      leave_out: FormFlag.default(false).describe(
        'sends to the usable lines of a list in which others have a problem',
      ),
      clean_greys,
      send_by_call,
      page_form,
      page_edits,
      send_at,
      send_by,
      send_when: z
        .enum(BROADCAST_HOURS)
        .default('now')
        .describe('`cheap_hours` for the hours in which calls cost less (`CHEAP_HOURS`)'),
      cover: Id.optional().describe('id of the cover page of each fax; left out for none').meta(STARTS_EMPTY),
      cover_fields: coverFormFields.cover_fields.describe(
        'values on the cover page as a JSON object. `{Room}` in a value means the column *Room* of the list, `{Name}` for the name; a field without a value gets that of the column with its name',
      ),
      mailbox,
      ...aboutFormFields,
    }),
    files: {
      file: {
        description: 'the document; several files are merged in order. Not needed for a preview',
        required: false,
        repeated: true,
      },
      recipients_file: {
        description: 'the list as a CSV or text file, in place of `recipients`',
        required: false,
        repeated: false,
      },
    },
  },
  answer: {
    status: 202,
    schema: SentBroadcast,
    also: { status: 200, words: 'The list was checked; nothing is recorded.' },
  },
  answerWords: 'The broadcast is recorded and its faxes will be sent. They are not delivered yet.',
  refusals: [
    ...ACCEPTANCE_REFUSALS.filter(
      (code) => code !== 'invalid_idempotency_key' && code !== 'idempotency_key_reused',
    ),
    'document_invalid',
    'document_too_large',
    'document_unsupported',
    'file_needed',
    'file_and_preview',
    'wrong_page_edits',
    'not_your_signature',
    'preview_files_gone',
    'recipients_refused',
    'unknown_merge_column',
    'no_recipients',
    'too_many_recipients',
    'which_recipients',
  ],
});

const listBroadcasts = defineRoute({
  id: 'listBroadcasts',
  room,
  method: 'GET',
  path: '/broadcasts',
  summary: 'List broadcasts, newest first',
  access: 'fax:read',
  anywhere: true,
  query: z.strictObject({
    ids: IdList.optional(),
    q: z
      .string()
      .max(LIMITS.searchLength)
      .optional()
      .describe('part of the name, the file name, the subject or the reference'),
    scheduled: FormFlag.optional().describe(
      'true for the broadcasts that have not begun because of their time',
    ),
    include_test: IncludeTest,
    limit: ListLimit,
    cursor: Cursor.optional(),
  }),
  answer: { status: 200, schema: pageOf(Broadcast).meta({ id: 'BroadcastPage' }) },
});

const found = { status: 200, schema: Broadcast } as const;
const NO_BROADCAST = ['no_such_broadcast'] as const;

const getBroadcast = defineRoute({
  id: 'getBroadcast',
  room,
  method: 'GET',
  path: '/broadcasts/:id',
  summary: 'Get a broadcast with its progress',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: found,
  refusals: NO_BROADCAST,
});

const listRecipients = defineRoute({
  id: 'listBroadcastRecipients',
  room,
  method: 'GET',
  path: '/broadcasts/:id/recipients',
  summary: 'List the recipients of a broadcast, in the order of its list',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  query: z.strictObject({
    state: queryList(RECIPIENT_STATES).optional(),
    limit: ListLimit,
    cursor: Cursor.optional(),
  }),
  answer: { status: 200, schema: pageOf(BroadcastRecipient).meta({ id: 'BroadcastRecipientPage' }) },
  refusals: NO_BROADCAST,
});

const broadcastHistory = defineRoute({
  id: 'getBroadcastHistory',
  room,
  method: 'GET',
  path: '/broadcasts/:id/history',
  summary: 'Get what people and the gateway did to a broadcast, oldest first',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: {
    status: 200,
    schema: z.strictObject({ events: z.array(BroadcastEvent) }).meta({ id: 'BroadcastHistory' }),
  },
  refusals: NO_BROADCAST,
});

const broadcastReport = defineRoute({
  id: 'getBroadcastReport',
  room,
  method: 'GET',
  path: '/broadcasts/:id/report',
  summary: 'Get the report of a broadcast as a PDF: counts and every recipient',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: { status: 200, contentType: 'application/pdf' },
  hasRanges: true,
  refusals: NO_BROADCAST,
});

const broadcastCsv = defineRoute({
  id: 'getBroadcastCsv',
  room,
  method: 'GET',
  path: '/broadcasts/:id/report.csv',
  summary: 'Get the report of a broadcast as CSV, with the further columns of its list',
  access: 'fax:read',
  anywhere: true,
  params: IdParams,
  answer: { status: 200, contentType: 'text/csv' },
  refusals: NO_BROADCAST,
});

const change = { room, method: 'POST', access: 'fax:send', anywhere: true, params: IdParams } as const;
const CHANGE_REFUSALS = [...NO_BROADCAST, 'not_allowed', 'broadcast_refused'] as const;

const pauseBroadcast = defineRoute({
  ...change,
  id: 'pauseBroadcast',
  path: '/broadcasts/:id/pause',
  summary: 'Pause a broadcast: no further faxes are made; the few that are ready are still sent',
  answer: found,
  refusals: CHANGE_REFUSALS,
});

const continueBroadcast = defineRoute({
  ...change,
  id: 'continueBroadcast',
  path: '/broadcasts/:id/continue',
  summary: 'Continue a paused broadcast',
  answer: found,
  refusals: CHANGE_REFUSALS,
});

const cancelBroadcast = defineRoute({
  ...change,
  id: 'cancelBroadcast',
  path: '/broadcasts/:id/cancel',
  summary: 'Cancel the rest of a broadcast: everything that is not being sent yet',
  answer: found,
  refusals: CHANGE_REFUSALS,
});

const retryBroadcast = defineRoute({
  ...change,
  id: 'retryBroadcast',
  path: '/broadcasts/:id/retry',
  summary: 'Send to the recipients again whose fax failed',
  description: 'Faxes that need confirmation are not sent again: they may have arrived.',
  answer: found,
  refusals: CHANGE_REFUSALS,
});

export const broadcastsRoutes = {
  sendBroadcast,
  listBroadcasts,
  getBroadcast,
  listRecipients,
  broadcastHistory,
  broadcastReport,
  broadcastCsv,
  pauseBroadcast,
  continueBroadcast,
  cancelBroadcast,
  retryBroadcast,
} as const;
