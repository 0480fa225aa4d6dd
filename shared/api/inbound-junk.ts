import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { ContactRef } from './contacts-fields.ts';
import { InboundFax } from './inbound-shapes.ts';
import { defineRoute } from './route.ts';
import { FormFlag, Id, IdParams, Time } from './values.ts';

const Count = z.number().int().min(0);
const SenderNumber = z.string().min(1).max(40);

export const BlockedSender = z
  .strictObject({
    number: SenderNumber.describe('E.164, as received faxes have it'),
    contact: ContactRef.nullable().describe('contact with the number; requires contacts:read'),
    blocked_at: Time,
    blocked_by: z.string().describe('name of the person or integration'),
    fax_id: Id.nullable().describe('fax from which it was blocked; null if the number was entered'),
    junk_faxes: Count.describe('number of its faxes in Junk that the caller can see'),
  })
  .meta({ id: 'BlockedSender' });

const room = 'inbound';
const HIDDEN = ['no_such_received_fax', 'fax_archived'] as const;

/** Blocked senders, and the faxes that are in Junk. */
export const junkRoutes = {
  blockedSenders: defineRoute({
    id: 'listBlockedSenders',
    room,
    method: 'GET',
    path: '/inbound/blocked-senders',
    summary: 'List blocked senders, most recent first',
    access: 'senders:block',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          items: z.array(BlockedSender).max(LIMITS.blockedSenders),
          most: Count.describe('maximum number of blocked senders'),
        })
        .meta({ id: 'BlockedSenders' }),
    },
  }),
  blockSender: defineRoute({
    id: 'blockSender',
    room,
    method: 'POST',
    path: '/inbound/blocked-senders',
    summary: 'Block a sender for the whole office; its faxes are received and go to Junk',
    description:
      'With `fax_id` that fax goes to Junk as well, and its open work item is closed, which requires its owner or work:manage. Earlier faxes from the sender do not change. `POST /inbound/{id}/not-junk` reverses it; within 10 seconds it restores the work item. Blocking a blocked number changes nothing.',
    access: 'senders:block',
    audited: { operation: 'sender.block', target: 'inbound_fax' },
    body: z
      .strictObject({
        fax_id: Id.optional(),
        number: SenderNumber.optional().describe('number in any usual form; instead of `fax_id`'),
        even_if_known: z
          .boolean()
          .default(false)
          .describe('true blocks a contact’s number or a number of this installation as well'),
      })
      .refine(
        ({ fax_id, number }) => (fax_id === undefined) !== (number === undefined),
        'requires either "fax_id" or "number"',
      )
      .meta({ id: 'SenderToBlock' }),
    badBody: 'sentence',
    answer: {
      status: 200,
      schema: z
        .strictObject({
          sender: BlockedSender,
          was_blocked: z.boolean().describe('true if the number was blocked before'),
          fax: InboundFax.nullable().describe('the fax after the change; null if a number was given'),
        })
        .meta({ id: 'SenderBlocked' }),
    },
    refusals: [
      ...HIDDEN,
      'not_allowed',
      'invalid_fax_number',
      'sender_withheld',
      'sender_known',
      'too_many_blocked_senders',
      'test_fax_of_key',
      'item_of_another',
    ],
  }),
  unblockSender: defineRoute({
    id: 'unblockSender',
    room,
    method: 'DELETE',
    path: '/inbound/blocked-senders/:number',
    summary: 'Unblock a sender',
    description: `Its faxes stay in Junk. With \`bring_back\` the newest ${LIMITS.broughtBack} that the caller can see return to the work queue.`,
    access: 'senders:block',
    audited: { operation: 'sender.unblock', target: 'blocked_sender', param: 'number' },
    params: z.strictObject({ number: SenderNumber.describe('number in any usual form') }),
    query: z.strictObject({
      bring_back: FormFlag.optional().describe('true returns its faxes from Junk to the work queue'),
    }),
    answer: {
      status: 200,
      schema: z
        .strictObject({
          number: SenderNumber,
          was_blocked: z.boolean(),
          brought_back: Count.describe('number of faxes that returned from Junk'),
          junk_faxes: Count.describe('number of its faxes still in Junk that the caller can see'),
        })
        .meta({ id: 'SenderUnblocked' }),
    },
    refusals: ['invalid_fax_number'],
  }),
  notJunk: defineRoute({
    id: 'markNotJunk',
    room,
    method: 'POST',
    path: '/inbound/:id/not-junk',
    summary: 'Take a received fax out of Junk',
    description:
      'The fax waits in the work queue as a new arrival, with its history. Within 10 seconds after the same person moved it to Junk, its work item is restored instead. A fax that is not in Junk does not change.',
    access: 'senders:block',
    audited: { operation: 'inbound.not_junk', target: 'inbound_fax', param: 'id' },
    params: IdParams,
    body: z
      .strictObject({ unblock: z.boolean().default(false).describe('true unblocks its sender as well') })
      .meta({ id: 'NotJunk' }),
    bodyOptional: true,
    badBody: 'sentence',
    answer: { status: 200, schema: InboundFax },
    refusals: [...HIDDEN, 'not_allowed'],
  }),
} as const;
