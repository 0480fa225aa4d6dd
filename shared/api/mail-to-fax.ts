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
      .describe('person or integration that its messages are sent for'),
    mailbox: z
      .strictObject({ id: Id, label: z.string() })
      .nullable()
      .describe('mailbox that the faxes are sent for; null lets the gateway choose'),
    created_by_name: z.string(),
    created_at: Time,
  })
  .meta({ id: 'MailSender' });

export const MailToFaxMessage = z
  .strictObject({
    id: Id,
    state: z.enum(MAIL_TO_FAX_STATES),
    sender: z
      .string()
      .nullable()
      .describe('sender named in the message; verified only for accepted messages'),
    principal: z
      .strictObject({ id: Id, name: z.string() })
      .nullable()
      .describe('person or integration it was sent for'),
    to_number: z.string().nullable().describe('E.164; also null if the caller cannot see sent faxes'),
    fax_id: Id.nullable().describe('also null if the caller cannot see sent faxes'),
    sentence: z.string().nullable().describe('reason why it was not sent as a fax, or is waiting'),
    message_id: z.string().nullable(),
    replies: z
      .array(
        z.strictObject({
          kind: z.enum(MAIL_REPLY_KINDS),
          state: z.enum(MAIL_REPLY_STATES),
          sentence: z.string().nullable().describe('reason why it was not sent, or may not have arrived'),
          updated_at: Time,
        }),
      )
      .describe('e-mails to the sender about the outcome, oldest first'),
    retry_at: OptionalTime.describe('time when a waiting message is checked again'),
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
    summary: 'List e-mails to be sent as faxes, newest first',
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
        .extend({ counts: Counts.describe('number of all messages by state') })
        .meta({ id: 'MailToFaxMessagePage' }),
    },
  }),
  listSenders: defineRoute({
    id: 'listMailSenders',
    room,
    method: 'GET',
    path: '/mail-to-fax/senders',
    summary: 'List the e-mail addresses that can send faxes, by address',
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
      'Messages from the address are sent as faxes for that person or integration, with the permissions they have at that time. They must be allowed to send faxes, for the mailbox if one is given, and the caller must have all of their sending permissions. Faxdesk checks the permissions again for each message.',
    access: 'users:manage',
    audited: { operation: 'mail_sender.add', target: 'mail_sender' },
    badBody: 'sentence',
    body: z
      .strictObject({
        address: Address,
        principal_id: Id.describe('id of the person or integration'),
        mailbox: z
          .string()
          .trim()
          .min(1)
          .max(LIMITS.displayNameLength)
          .nullish()
          .describe('id or label of the mailbox to send the faxes for'),
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
      'Messages that were accepted earlier are still sent. The caller must have all sending permissions of the person or integration.',
    access: 'users:manage',
    audited: { operation: 'mail_sender.remove', target: 'mail_sender', param: 'id' },
    params: IdParams,
    answer: { status: 200, schema: MailSender },
    refusals: ['no_such_mail_sender', 'person_holds_more'],
  }),
} as const;
