import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { VISIBLE_LINE, VISIBLE_RULE, VISIBLE_TEXT } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { AnyTime, Cursor, Id, IdParams, ListLimit, OptionalTime, pageOf, Time, Version } from './values.ts';

const room = 'holds';
const badBody = 'sentence';
const HIDDEN = ['no_such_legal_hold'] as const;

/** Most faxes that one request names. */
const MAX_NAMED_FAXES = 200;

const Reason = z.string().trim().max(1_000).regex(VISIBLE_TEXT, VISIBLE_RULE);
const Count = z.int().min(0);

/** Faxes that a legal hold covers, in one word. */
export const HOLD_KINDS = ['faxes', 'case', 'number', 'contact', 'mailbox', 'period'] as const;

/** A legal hold, as a fax that it covers names it. */
export const LegalHoldName = z.strictObject({ id: Id, name: z.string() }).meta({ id: 'LegalHoldName' });

const holdFields = {
  id: Id,
  name: z.string(),
  reason: z.string().describe('reason for which it was placed'),
  kind: z.enum(HOLD_KINDS).describe('which faxes it covers'),
  case_id: Id.nullable().describe('case whose packets it covers; null for another kind'),
  numbers: z
    .array(z.string())
    .describe('numbers (E.164) of senders and recipients that it covers; those of a contact as they were'),
  contact: z
    .strictObject({ id: Id, name: z.string() })
    .nullable()
    .describe('contact whose numbers it covers, as it was; null for another kind'),
  mailbox: z
    .strictObject({ id: Id, label: z.string().nullable() })
    .nullable()
    .describe('mailbox whose faxes it covers; null for another kind'),
  since: Time.nullable().describe('only faxes recorded at this time or later; null for any time'),
  until: Time.nullable().describe('only faxes recorded before this time; null for any time, also later'),
  placed_at: Time,
  placed_by: z.string().describe('name of the person or integration'),
  released_at: OptionalTime,
  released_by: z.string().nullable().describe('name; null while it is open'),
  release_note: z.string().nullable().describe('reason for the release'),
  version: Version,
};

const LegalHold = z.strictObject(holdFields).meta({ id: 'LegalHold' });

export const LegalHoldDetails = z
  .strictObject({
    ...holdFields,
    faxes: z
      .strictObject({
        sent: Count.describe('sent faxes'),
        received: Count.describe('received faxes'),
      })
      .describe('number of faxes that it covers now, or would cover if it were open'),
    documents_due: Count.describe(
      'documents that no other open hold covers and that are past the time for which they are kept: the next cleanup after the release deletes them',
    ),
    next_cleanup_at: Time.nullable().describe(
      'time of the next cleanup that deletes documents; null while documents are kept for good',
    ),
  })
  .meta({ id: 'LegalHoldDetails' });

export const holdsRoutes = {
  listLegalHolds: defineRoute({
    id: 'listLegalHolds',
    room,
    method: 'GET',
    path: '/legal-holds',
    summary: 'List legal holds, newest first',
    description:
      'The documents of a fax under an open hold are not deleted, neither automatically nor by hand.',
    access: 'holds:manage',
    query: z.strictObject({
      state: z.enum(['open', 'released']).optional().describe('both if left out'),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: { status: 200, schema: pageOf(LegalHold).meta({ id: 'LegalHoldPage' }) },
  }),
  getLegalHold: defineRoute({
    id: 'getLegalHold',
    room,
    method: 'GET',
    path: '/legal-holds/:id',
    summary: 'Get a legal hold with the number of faxes that it covers',
    access: 'holds:manage',
    params: IdParams,
    answer: { status: 200, schema: LegalHoldDetails },
    refusals: HIDDEN,
  }),
  createLegalHold: defineRoute({
    id: 'createLegalHold',
    room,
    method: 'POST',
    path: '/legal-holds',
    summary: 'Place a legal hold',
    description:
      'Give either `fax_ids`, or one of `case_id`, `number`, `contact_id` and `mailbox_id` with or without a time range, or a time range alone. Faxes that are sent or received later are covered as well.',
    access: 'holds:manage',
    audited: { operation: 'legal_hold.place', target: 'legal_hold' },
    badBody,
    body: z.strictObject({
      name: z
        .string()
        .trim()
        .min(1)
        .max(LIMITS.displayNameLength)
        .regex(VISIBLE_LINE, VISIBLE_RULE)
        .describe('name of the legal matter, shown with each fax'),
      reason: Reason.min(1).describe('reason, for those who can place holds'),
      fax_ids: z
        .array(Id)
        .min(1)
        .max(MAX_NAMED_FAXES)
        .optional()
        .describe('ids of sent and received faxes that the caller can read'),
      case_id: Id.optional().describe('case whose packets are covered'),
      number: z.string().max(40).optional().describe('number from which and to which faxes are covered'),
      contact_id: Id.optional().describe('contact whose numbers are covered, as they are now'),
      mailbox_id: Id.optional().describe('id of the mailbox whose sent and received faxes are covered'),
      since: AnyTime.optional().describe('only faxes recorded at this time or later'),
      until: AnyTime.optional().describe('only faxes recorded before this time'),
    }),
    answer: { status: 201, schema: LegalHoldDetails },
    refusals: ['legal_hold_refused', 'invalid_fax_number', 'no_such_contact', 'no_such_mailbox'],
  }),
  releaseLegalHold: defineRoute({
    id: 'releaseLegalHold',
    room,
    method: 'POST',
    path: '/legal-holds/:id/release',
    summary: 'Release a legal hold',
    description:
      'Nothing is deleted at once: documents past the time for which they are kept are deleted by the next cleanup. `documents_due` is their number.',
    access: 'holds:manage',
    audited: { operation: 'legal_hold.release', target: 'legal_hold', param: 'id' },
    badBody,
    params: IdParams,
    body: z.strictObject({
      version: Version,
      note: Reason.default('').describe('reason for the release'),
    }),
    answer: { status: 200, schema: LegalHoldDetails },
    refusals: [...HIDDEN, 'legal_hold_released', 'stale'],
  }),
} as const;
