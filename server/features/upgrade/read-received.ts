import type { EarlierNotification, EarlierReceived } from '../inbound/types.ts';
import type { Read, ReadingFacts } from './read-sent.ts';
import type { EarlierRow } from './store.ts';
import type { UpgradeNote } from './types.ts';
import {
  readBackend,
  readCount,
  readId,
  readNumber,
  readSha256,
  readText,
  readTime,
  shown,
} from './values.ts';

/** A received fax before its document was looked at. */
export interface ReadReceived extends Omit<EarlierReceived, 'document' | 'mailboxId' | 'providerId'> {
  /** Id at the provider; null where none was recorded. */
  readonly providerId: string | null;
  /** Label of its mailbox; null for none. */
  readonly mailbox: string | null;
  /** Path of the document as that release wrote it; null for none. */
  readonly path: string | null;
  /** Fingerprint of the document; null where none was recorded. */
  readonly sha256: string | null;
}

export function readReceived(row: EarlierRow, facts: ReadingFacts): Read<ReadReceived> {
  const { id, isOwn } = readId(row['id'], 'received fax');
  const notes: UpgradeNote[] = [];
  const odd = (text: string) => notes.push({ kind: 'odd_value', subjectId: id, text });
  if (!isOwn) odd(`A received fax had the id ${shown(row['id'])}, which cannot be used. It is now ${id}.`);
  const numberOf = (column: 'from_number' | 'to_number', words: string) => {
    const number = readNumber(row[column], facts.country);
    if (number === 'odd')
      odd(
        `Received fax ${id} has the ${words} ${shown(row[column])}, which is no number. It shows as Unknown.`,
      );
    return number === null || number === 'odd' ? null : number.number;
  };
  const [received, created] = [readTime(row['received_at']), readTime(row['created_at'])];
  const receivedAt = received ?? created ?? facts.upgradedAt;
  if (received === null) odd(`The time of received fax ${id} cannot be read: ${shown(row['received_at'])}.`);
  const value = {
    id,
    backend: readBackend(row['backend']),
    providerId: readText(row['provider_sid'], 100),
    from: numberOf('from_number', 'sender'),
    to: numberOf('to_number', 'recipient'),
    mailbox: readText(row['mailbox_label'], 100),
    reportedPages: readCount(row['pages']),
    receivedAt,
    updatedAt: readTime(row['updated_at']) ?? receivedAt,
    status: readText(row['status'], 32) ?? '',
    notifiedAt: null,
    path: readText(row['pdf_path'], 512),
    sha256: readSha256(row['sha256']),
  };
  return { value, formerId: row['id'] ?? '', notes };
}

/** Providers of the event types of that release. */
const EVENT = /^(phaxio|sinch)-inbound$/u;

/** Reads a seen notification; null for one without an id at the provider. */
export function readNotification(row: EarlierRow, facts: ReadingFacts): EarlierNotification | null {
  const [, provider] = EVENT.exec(row['event_type']?.trim().toLowerCase() ?? '') ?? [];
  const providerId = readText(row['provider_sid'], 100);
  if (providerId === null) return null;
  return {
    id: readId(row['id'], 'notification').id,
    backend: readBackend(provider ?? row['event_type']),
    providerId,
    seenAt: readTime(row['created_at']) ?? facts.upgradedAt,
  };
}
