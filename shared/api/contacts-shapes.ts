import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { DELIVERY_STATES } from '../states/outbound.ts';
import { Id, OptionalTime, Time, Version } from './values.ts';

/** Contact that a typed text may mean, with the number that it is about. */
export const ContactSuggestion = z
  .strictObject({
    id: Id,
    name: z.string(),
    organization: z.string().nullable(),
    fax_number: z.string().describe('E.164; the number that the text is a part of, else the first one'),
    tags: z.array(z.string()).describe('words by which contacts are found and listed together'),
    blocked: z.boolean(),
    opted_out: z.boolean().describe('true if the contact asked for no faxes'),
    last_used_at: OptionalTime.describe(
      'time of the last fax to the number that the caller can see, if it is recent',
    ),
    last_success_at: OptionalTime.describe(
      'time of the last delivered fax to the number that the caller can see',
    ),
    recent_failures: z
      .int()
      .min(0)
      .describe('number of failed faxes in the last 30 days since the last delivered one'),
  })
  .meta({ id: 'ContactSuggestion' });

export const ContactSuggestions = z
  .strictObject({ items: z.array(ContactSuggestion) })
  .meta({ id: 'ContactSuggestions' });

export const ContactTags = z
  .strictObject({
    items: z.array(
      z.strictObject({
        tag: z.string().describe('the tag as one of the contacts has it'),
        contacts: z.int().min(1).describe('number of contacts with it'),
      }),
    ),
  })
  .meta({ id: 'ContactTags' });

const RecentFax = z
  .strictObject({
    direction: z.enum(['sent', 'received']),
    id: Id,
    number: z.string().describe('fax number of the contact, E.164'),
    pages: z.int().nullable().describe('number of pages; null while unknown'),
    delivery_state: z
      .enum(DELIVERY_STATES)
      .nullable()
      .describe('state of a sent fax; null for a received one'),
    at: Time.describe('time when it was accepted or received'),
  })
  .meta({ id: 'ContactFax' });

export const ContactHistory = z
  .strictObject({
    delivered: z.int().describe('number of delivered faxes'),
    failed: z.int().describe('number of failed faxes'),
    pages_delivered: z.int().describe('pages of the delivered faxes'),
    last_success_at: OptionalTime.describe('time of the last delivered fax'),
    last_failure_at: OptionalTime.describe('time of the last failed fax'),
    last_received_at: OptionalTime.describe('time of the last received fax'),
    recent: z.array(RecentFax).describe('sent and received faxes, newest first, at most 10'),
  })
  .meta({ id: 'ContactHistory' });

export const MergeIn = z
  .strictObject({
    version: Version,
    other_id: Id.describe('id of the contact that is merged into this one and removed'),
    other_version: Version.describe('version of that contact as it was read last'),
    check_only: z
      .boolean()
      .default(false)
      .describe('true returns what both would become and changes nothing'),
  })
  .meta({ id: 'ContactMerge' });

export const CompletionQuery = z.strictObject({
  q: z
    .string()
    .max(LIMITS.searchLength)
    .default('')
    .describe('part of a name, an organization, a tag or a number; empty for the contacts used last'),
  limit: z.coerce.number().int().min(1).max(LIMITS.completions).default(8),
});
