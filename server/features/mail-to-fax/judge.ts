import type { ReadMail } from '../../adapters/mail/reading-port.ts';
import { sha256Hex } from '../../platform/hash.ts';
import type { Caller } from '../access/service.ts';
import { asksForText, coverOf } from './cover.ts';
import { type DocumentPart, documentsOf } from './documents-of.ts';
import type { MailToFaxParts } from './parts.ts';
import { recipientOf } from './recipient.ts';
import { acceptedAs } from './store/message-store.ts';
import { senderOf } from './store/sender-store.ts';
import type { MessageFacts, MessageRow, SenderRow } from './types.ts';

/** A fax that a message asks for. */
export interface WantedFax {
  readonly caller: Caller;
  readonly to: string;
  readonly mailbox: string | null;
  readonly documents: readonly DocumentPart[];
  /** What stands on a page before the documents; null for none. */
  readonly cover: string | null;
  readonly idempotencyKey: string;
}

/** What is to become of a message, with what is known of it by then. Sentences are for a person. */
export type Verdict = { readonly facts: MessageFacts; readonly subject?: string } & (
  | { readonly kind: 'fax'; readonly fax: WantedFax }
  | { readonly kind: 'refused' | 'ignored'; readonly sentence: string }
  | { readonly kind: 'duplicate'; readonly of: MessageRow }
  | { readonly kind: 'later'; readonly sentence: string }
);

const LONGEST_ID = 300;

const NOT_LISTED = 'The sender is not on the list of those who may send faxes.';
const NO_ID = 'The message has no Message-ID.';
const MAY_NOT = 'The person or integration of this sender may not send faxes, or is disabled.';

/** Judges a message that was read. Nothing of it is believed before its sender has proved themselves. */
export async function judge(parts: MailToFaxParts, mail: ReadMail): Promise<Verdict> {
  const facts: MessageFacts = {
    sender: mail.sender,
    message_id: mail.messageId?.slice(0, LONGEST_ID) ?? null,
  };
  if (mail.automatic !== null) return { kind: 'ignored', sentence: mail.automatic, facts };
  const unproven = await unprovenVerdict(parts, mail);
  if ('kind' in unproven) return { ...unproven, facts };
  const proven = { ...facts, principal_id: unproven.sender.principal_id };
  if (mail.messageId === null)
    return { kind: 'refused', sentence: NO_ID, facts: proven, subject: mail.subject };
  const identity = sha256Hex(`${mail.sender}\n${mail.messageId}`);
  const known = { ...proven, identity };
  const { subject } = mail;
  const before = await acceptedAs(parts.db.read, identity);
  if (before) return { kind: 'duplicate', of: before, facts: known };
  return { ...(await faxOf(parts, mail, unproven.sender, identity)), facts: known, subject };
}

type Judged = { readonly kind: 'refused' | 'later'; readonly sentence: string };

/** The sender on the list, or why the message is none of theirs. */
async function unprovenVerdict(
  { db }: MailToFaxParts,
  { sender, check, repeated }: ReadMail,
): Promise<Judged | { readonly sender: SenderRow }> {
  const listed = sender === null ? undefined : await senderOf(db.read, sender);
  if (!listed) return { kind: 'refused', sentence: check.kind === 'failed' ? check.sentence : NOT_LISTED };
  if (check.kind === 'later') return check;
  if (check.kind === 'failed') return { kind: 'refused', sentence: check.sentence };
  const [twice] = repeated;
  if (twice !== undefined)
    return { kind: 'refused', sentence: `The message has more than one ${nameOf(twice)} field.` };
  return { sender: listed };
}

/** Whom it goes to and what, or the reason why not. */
async function faxOf(
  parts: MailToFaxParts,
  mail: ReadMail,
  sender: SenderRow,
  identity: string,
): Promise<Judged | { readonly kind: 'fax'; readonly fax: WantedFax }> {
  const { settings, access } = parts;
  const refused = (sentence: string): Judged => ({ kind: 'refused', sentence });
  const recipient = recipientOf(mail, settings.country());
  if ('refusal' in recipient) return refused(recipient.refusal);
  const unsigned = unsignedOf(mail, recipient.namedBy);
  if (unsigned !== null) return refused(unsigned);
  const found = documentsOf(mail.parts);
  if ('refusal' in found) return refused(found.refusal);
  const template = settings.cover() ?? '';
  const hasText = asksForText(template) && mail.text !== null;
  if (found.documents.length === 0 && !hasText)
    return refused('The message has no attachment that can be faxed.');
  const words = {
    to_number: recipient.number,
    sender: sender.address,
    subject: mail.subject,
    text: mail.text ?? '',
  };
  const caller = await access.callerFor(sender.principal_id, 'send_mailbox');
  if (!caller?.holdsAnywhere('fax:send')) return refused(MAY_NOT);
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

/**
 * Where a signature proves the sender, it has to cover what decides about the fax: with another number or Message-ID, a signed
 * message that somebody got hold of could be sent again and elsewhere.
 */
function unsignedOf({ check }: ReadMail, namedBy: 'subject' | 'to'): string | null {
  if (check.kind !== 'passed' || check.signed === null) return null;
  const { signed } = check;
  if (!signed.has(namedBy))
    return namedBy === 'subject'
      ? 'The signature of the message does not cover the subject with the fax number.'
      : 'The signature of the message does not cover the address with the fax number. Write the number into the subject.';
  return signed.has('message-id') ? null : 'The signature of the message does not cover its Message-ID.';
}

const nameOf = (field: string) => field.replaceAll(/(?:^|-)[a-z]/gu, (letter) => letter.toUpperCase());
