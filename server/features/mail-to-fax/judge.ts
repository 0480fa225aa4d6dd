import type { MailHead, ReadMail } from '../../adapters/mail/reading-port.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Caller } from '../access/service.ts';
import { isOwnAddress } from './addresses.ts';
import { coverOf, usesText } from './cover.ts';
import { type DocumentPart, documentsOf } from './documents.ts';
import type { MailToFaxParts } from './parts.ts';
import { recipientOf } from './recipient.ts';
import { findAccepted } from './store/message-store.ts';
import { senderOf } from './store/sender-store.ts';
import type { MessageFacts, MessageRow, SenderRow } from './types.ts';

/** Fax requested by a message. */
export interface RequestedFax {
  readonly caller: Caller;
  readonly to: string;
  readonly mailbox: string | null;
  readonly documents: readonly DocumentPart[];
  /** Text of the page before the documents; null for none. */
  readonly cover: string | null;
  readonly idempotencyKey: string;
}

/** Decision about a message, with the facts known by then; `later` when it cannot be decided yet. Sentences are for people. */
export type Verdict = { readonly facts: MessageFacts; readonly subject?: string } & (
  | { readonly kind: 'fax'; readonly fax: RequestedFax }
  | { readonly kind: 'refused' | 'ignored'; readonly sentence: string }
  | { readonly kind: 'duplicate'; readonly duplicateOf: MessageRow }
  | { readonly kind: 'later'; readonly sentence: string }
);

const MAX_ID_LENGTH = 300;

const NOT_LISTED = 'The sender is not on the list of people who can send faxes.';
const NO_SENDER = 'The message does not say who sent it, or names several senders.';
const NO_ID = 'The message has no Message-ID.';
const NOT_ADDRESSED =
  'The message is not addressed to the mailbox for e-mail to fax. Write to its address, in To or Cc.';
const NOT_PERMITTED = 'The person or integration of this sender cannot send faxes, or is disabled.';

/** Message that claims to be from a listed sender, before that is verified. */
export interface ListedMessage {
  readonly head: MailHead;
  readonly sender: SenderRow;
  readonly facts: MessageFacts;
}

/**
 * Decides about a message by its header alone, which is not verified yet: nothing else of a message is read when its
 * sender is not on the list. Returns the message undecided when the sender is listed.
 */
export async function judgeHead({ db }: MailToFaxParts, head: MailHead): Promise<Verdict | ListedMessage> {
  const facts: MessageFacts = {
    sender: head.sender,
    message_id: head.messageId?.slice(0, MAX_ID_LENGTH) ?? null,
  };
  if (head.automatic !== null) return { kind: 'ignored', sentence: head.automatic, facts };
  if (head.sender === null) return { kind: 'refused', sentence: NO_SENDER, facts };
  const sender = await senderOf(db.read, head.sender);
  return sender ? { head, sender, facts } : { kind: 'refused', sentence: NOT_LISTED, facts };
}

/** Decides about a message of a listed sender. Its content is used only when the check of the sender has passed. */
export async function judge(
  parts: MailToFaxParts,
  { head, sender, facts }: ListedMessage,
  mail: ReadMail,
): Promise<Verdict> {
  const { check, subject } = mail;
  if (check.kind === 'later') return { ...check, facts };
  if (check.kind === 'failed') return { kind: 'refused', sentence: check.sentence, facts };
  const proven = { ...facts, principal_id: sender.principal_id };
  if (head.messageId === null) return { kind: 'refused', sentence: NO_ID, facts: proven, subject };
  const identity = sha256Hex(`${head.sender}\n${head.messageId}`);
  const known = { ...proven, identity };
  const accepted = await findAccepted(parts.db.read, identity);
  if (accepted) return { kind: 'duplicate', duplicateOf: accepted, facts: known };
  return { ...(await faxOf(parts, mail, sender, identity)), facts: known, subject };
}

type FaxRefusal = { readonly kind: 'refused' | 'later'; readonly sentence: string };

/** Returns the fax with its recipient and documents, or the reason for a refusal. */
async function faxOf(
  parts: MailToFaxParts,
  mail: ReadMail,
  sender: SenderRow,
  identity: string,
): Promise<FaxRefusal | { readonly kind: 'fax'; readonly fax: RequestedFax }> {
  const { settings, access } = parts;
  const refused = (sentence: string): FaxRefusal => ({ kind: 'refused', sentence });
  const ownRecipients = mail.recipients.filter((address) => isOwnAddress(address, settings.addresses()));
  // A message that was written to another address may have been intercepted and resent to this mailbox.
  if (ownRecipients.length === 0) return refused(NOT_ADDRESSED);
  const recipient = recipientOf({ subject: mail.subject, recipients: ownRecipients }, settings.country());
  if ('refusal' in recipient) return refused(recipient.refusal);
  const found = documentsOf(mail.parts);
  if ('refusal' in found) return refused(found.refusal);
  const template = settings.cover() ?? '';
  const hasText = usesText(template) && mail.text !== null;
  if (found.documents.length === 0 && !hasText)
    return refused('The message has no attachment that can be faxed.');
  const words = {
    to_number: recipient.number,
    sender: sender.address,
    subject: mail.subject,
    text: mail.text ?? '',
  };
  const caller = await access.callerFor(sender.principal_id, 'send_mailbox');
  if (!caller?.holdsAnywhere('fax:send')) return refused(NOT_PERMITTED);
  return {
    kind: 'fax',
    fax: {
      caller,
      to: recipient.number,
      mailbox: sender.mailbox_id,
      documents: found.documents,
      cover: coverOf(template, words),
      idempotencyKey: `mail-${identity}`,
    },
  };
}
