import type { EarlierFax } from '../outbound/types.ts';
import type { EarlierRow } from './store.ts';
import type { UpgradeNote } from './types.ts';
import { readBackend, readCount, readId, readNumber, readText, readTime, shown } from './values.ts';

/** States with which that release recorded a delivery. */
const DELIVERED = new Set(['success', 'completed', 'completed_ok']);

/** Dependencies of reading rows. */
export interface ReadingFacts {
  /** National numbers belong to it. */
  readonly country: string;
  /** In place of a time that cannot be read. ISO 8601 UTC. */
  readonly upgradedAt: string;
}

/** A row with what is odd about it. */
export interface Read<T> {
  readonly value: T;
  /** Id as that release wrote it, for the names of files. */
  readonly formerId: string;
  readonly notes: readonly UpgradeNote[];
}

/** Reads a sent fax, without its document. */
export function readSent(row: EarlierRow, facts: ReadingFacts): Read<Omit<EarlierFax, 'document'>> {
  const { id, isOwn } = readId(row['id'], 'sent fax');
  const notes: UpgradeNote[] = [];
  const odd = (text: string) => notes.push({ kind: 'odd_value', subjectId: id, text });
  if (!isOwn) odd(`A sent fax had the id ${shown(row['id'])}, which cannot be used. It is now ${id}.`);
  const toText = readText(row['to_number'], 64) ?? '';
  const to = readNumber(toText, facts.country);
  const isNumber = to !== null && to !== 'odd';
  if (!isNumber)
    odd(`Sent fax ${id} went to ${shown(toText)}, which is no fax number. It is kept as written.`);
  const [updated, created] = [readTime(row['updated_at']), readTime(row['created_at'])];
  const createdAt = created ?? updated ?? facts.upgradedAt;
  if (created === null) odd(`The time of sent fax ${id} cannot be read: ${shown(row['created_at'])}.`);
  const status = readText(row['status'], 32) ?? '';
  const { formerId, ...times } = { formerId: row['id'] ?? '', createdAt, updatedAt: updated ?? createdAt };
  return {
    formerId,
    notes,
    value: {
      id,
      to: isNumber ? to.number : toText || 'Unknown',
      toText,
      isNumber,
      fileName: readText(row['file_name'], 255) ?? 'document.pdf',
      status,
      isDelivered: DELIVERED.has(status.toLowerCase()),
      error: readText(row['error'], 500),
      pages: readCount(row['pages']),
      backend: readBackend(row['backend']),
      providerId: readText(row['provider_sid'], 100),
      ...times,
    },
  };
}
