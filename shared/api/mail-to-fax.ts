import { z } from 'zod';
import { LIMITS } from '../limits.ts';
import { MAIL_REPLY_KINDS, MAIL_REPLY_STATES, MAIL_TO_FAX_STATES } from '../states/mail-to-fax.ts';
import { VISIBLE_LINE, VISIBLE_RULE } from '../visible-text.ts';
import { defineRoute } from './route.ts';
import { Cursor, Id, IdList, IdParams, ListLimit, OptionalTime, pageOf, queryList, Time } from './values.ts';

const room = 'mail-to-fax';

/** Placeholders of a cover page. */
export const COVER_WORDS = ['to_number', 'sender', 'subject', 'text'] as const;

const Address = z
  .string()
  .trim()
  .toLowerCase()
  .max(LIMITS.connector.address)
  .regex(/^[^\s@<>(),;:"\\]+@[^\s@<>(),;:"\\]+$/u, 'must be an e-mail address')
  .regex(VISIBLE_LINE, VISIBLE_RULE);

export const MailSender = z
  .strictObject({
    id: Id,
    address: z.string(),
    principal: z
      .strictObject({ id: Id, name: z.string() })
      .describe('for whom its messages are sent as faxes'),
    mailbox: z
      .strictObject({ id: Id, label: z.string() })
      .nullable()
      .describe('for which the faxes are sent; null leaves the choice to the gateway'),
    created_by_name: z.string(),
    created_at: Time,
  })
  .meta({ id: 'MailSender' });

export const MailToFaxMessage = z
  .strictObject({
    id: Id,
    state: z.enum(MAIL_TO_FAX_STATES),
    sender: z.string().nullable().describe('as the message says; proven only for accepted ones'),
    principal: z.strictObject({ id: Id, name: z.string() }).nullable().describe('for whom it was sent'),
    to_number: z.string().nullable().describe('E.164; null too for who may not see sent faxes'),
    fax_id: Id.nullable().describe('null too for who may not see sent faxes'),
    sentence: z.string().nullable().describe('why it became no fax, or why it waits'),
    message_id: z.string().nullable(),
    replies: z
      .array(
        z.strictObject({
          kind: z.enum(MAIL_REPLY_KINDS),
          state: z.enum(MAIL_REPLY_STATES),
          sentence: z.string().nullable().describe('why it was not sent, or may not have arrived'),
          updated_at: Time,
        }),
      )
      .describe('e-mails that tell the sender what became of it, oldest first'),
    retry_at: OptionalTime.describe('when a message that waits is looked at again'),
    recorded_at: Time,
    updated_at: Time,
  })
  .meta({ id: 'MailToFaxMessage' });

const Counts = z.strictObject(
  Object.fromEntries(MAIL_TO_FAX_STATES.map((state) => [state, z.int().min(0)])) as Record<
    (typeof MAIL_TO_FAX_STATES)[number],
    z.ZodInt
  >,
);

export const mailToFaxRoutes = {
  listMessages: defineRoute({
    id: 'listMailToFaxMessages',
    room,
    method: 'GET',
    path: '/mail-to-fax/messages',
    summary: 'E-mails that came to be sent as faxes, newest first',
    access: 'mailboxes:read',
    query: z.strictObject({
      ids: IdList.optional(),
      state: queryList(MAIL_TO_FAX_STATES).optional(),
      fax_id: Id.optional(),
      limit: ListLimit,
      cursor: Cursor.optional(),
    }),
    answer: {
      status: 200,
      schema: pageOf(MailToFaxMessage)
        .extend({ counts: Counts.describe('of all messages, by state') })
        .meta({ id: 'MailToFaxMessagePage' }),
    },
  }),
  listSenders: defineRoute({
    id: 'listMailSenders',
    room,
    method: 'GET',
    path: '/mail-to-fax/senders',
    summary: 'E-mail addresses whose messages are sent as faxes, by address',
    access: 'users:read',
    answer: {
      status: 200,
      schema: z.strictObject({ items: z.array(MailSender) }).meta({ id: 'MailSenders' }),
    },
  }),
  addSender: defineRoute({
    id: 'addMailSender',
    room,
    method: 'POST',
    path: '/mail-to-fax/senders',
    summary: 'Let an e-mail address send faxes for a person or an integration',
    description:
      'Its messages are sent as faxes of that person or integration, with what they may do then. Who adds an address must hold whatever sending rights they hold, and they must have some: for the mailbox, where one is named. They are asked again for each message.',
    access: 'users:manage',
    audited: { operation: 'mail_sender.add', target: 'mail_sender' },
    badBody: 'sentence',
    body: z
      .strictObject({
        address: Address,
        principal_id: Id.describe('of the person or integration'),
        mailbox: z
          .string()
          .trim()
          .min(1)
          .max(LIMITS.displayNameLength)
          .nullish()
          .describe('id or label of the mailbox that the faxes are sent for'),
      })
      .meta({ id: 'MailSenderIn' }),
    answer: { status: 201, schema: MailSender },
    refusals: ['mail_sender_refused', 'no_such_person', 'unknown_mailbox', 'grant_exceeds_giver'],
  }),
  removeSender: defineRoute({
    id: 'removeMailSender',
    room,
    method: 'POST',
    path: '/mail-to-fax/senders/:id/remove',
    summary: 'Stop an e-mail address from sending faxes',
    description:
      'Messages that were accepted before stay faxes. Who removes an address must hold whatever sending rights its person or integration holds.',
    access: 'users:manage',
    audited: { operation: 'mail_sender.remove', target: 'mail_sender', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: MailSender },
    refusals: ['no_such_mail_sender', 'person_holds_more'],
  }),
} as const;
