import { type Permission } from '../../../shared/permissions.ts';
import type { EarlierKey, EarlierMailbox } from '../access/types.ts';
import type { Read, ReadingFacts } from './read-sent.ts';
import type { EarlierRow } from './store.ts';
import type { UpgradeNote } from './types.ts';
import { readId, readNumber, readText, readTime, shown } from './values.ts';

/** Permissions that keys of that release could have. Another name on one of its keys never opened anything. */
const KNOWN_SCOPES: readonly Permission[] = [
  'fax:send',
  'fax:read',
  'inbound:list',
  'inbound:read',
  'keys:manage',
];
const EVERYTHING = '*';

export function readMailbox(row: EarlierRow, facts: ReadingFacts): Read<EarlierMailbox> | null {
  const label = readText(row['label'], 100);
  if (label === null) return null;
  const { id } = readId(row['id'], 'mailbox');
  const createdAt = readTime(row['created_at']) ?? facts.upgradedAt;
  const updatedAt = readTime(row['updated_at']) ?? createdAt;
  return { value: { id, label, createdAt, updatedAt }, formerId: row['id'] ?? '', notes: [] };
}

/** Number rule with the label of its mailbox. */
interface ReadRule {
  readonly id: string;
  readonly label: string | null;
  /** E.164; null for a text that is no number. */
  readonly number: string | null;
  readonly numberText: string;
  readonly createdAt: string;
}

export function readRule(row: EarlierRow, facts: ReadingFacts): ReadRule {
  const number = readNumber(row['to_number'], facts.country);
  return {
    id: readId(row['id'], 'rule').id,
    label: readText(row['mailbox_label'], 100),
    number: number === null || number === 'odd' ? null : number.number,
    numberText: readText(row['to_number'], 64) ?? '',
    createdAt: readTime(row['created_at']) ?? facts.upgradedAt,
  };
}

/** Returns the hash function of a stored hash; null for one that cannot be used. */
export type SlowHashKind = (stored: string) => EarlierKey['hashKind'] | null;

/**
 * Reads a key. One that could do everything, and one that nobody answers for, waits for approval. Null for a key whose
 * token no caller can present.
 */
export function readKey(
  row: EarlierRow,
  facts: ReadingFacts & { readonly hashKind: SlowHashKind },
): Read<EarlierKey | null> {
  const keyId = row['key_id'] ?? '';
  const name = readText(row['name'], 100);
  const words = name === null ? `API key ${shown(keyId)}` : `API key ${shown(name)} (${keyId})`;
  const hashKind = facts.hashKind(row['key_hash'] ?? '');
  const formerId = keyId;
  if (!/^[A-Za-z0-9-]{1,40}$/u.test(keyId) || hashKind === null) {
    const text = `${words} was left out: its ${hashKind === null ? 'secret' : 'id'} is stored in a form that cannot be used. Create a new one.`;
    return { value: null, formerId, notes: [{ kind: 'key_unusable', subjectId: null, text }] };
  }
  const named = [...new Set((row['scopes'] ?? '').split(',').flatMap((text) => readText(text, 60) ?? []))];
  const scopes = KNOWN_SCOPES.filter((scope) => named.includes(scope));
  const removed = named.filter((text) => text !== EVERYTHING && !scopes.some((scope) => scope === text));
  const owner = readText(row['owner'], 100);
  const createdAt = readTime(row['created_at']) ?? facts.upgradedAt;
  const key = {
    keyId,
    name,
    note: readText(row['note'], 500),
    owner,
    secretHash: row['key_hash'] ?? '',
    hashKind,
    scopes,
    removed,
    state: named.includes(EVERYTHING) || owner === null ? ('review' as const) : ('active' as const),
    createdAt,
    expiresAt: endOf(row['expires_at'], facts),
    lastUsedAt: readTime(row['last_used_at']),
    revokedAt: endOf(row['revoked_at'], facts),
  };
  return { value: key, formerId, notes: notesOf(key, words, named.includes(EVERYTHING)) };
}

/** An end that cannot be read has come: a key must not live longer because of it. */
function endOf(value: string | null | undefined, { upgradedAt }: ReadingFacts): string | null {
  if (value === null || value === undefined || value.trim() === '') return null;
  return readTime(value) ?? upgradedAt;
}

function notesOf(key: EarlierKey, words: string, couldDoEverything: boolean): UpgradeNote[] {
  const notes: UpgradeNote[] = [];
  const add = (kind: UpgradeNote['kind'], text: string) => notes.push({ kind, subjectId: key.keyId, text });
  if (key.revokedAt === null && key.state === 'review') {
    const why = couldDoEverything ? 'It could do everything' : 'Nobody is named as its owner';
    add('key_waits', `${words} does not work until someone approves it. ${why}.`);
  }
  if (key.removed.length > 0)
    add('key_changed', `${words} lost ${key.removed.join(', ')}, which no longer exist.`);
  if (key.revokedAt === null && key.scopes.includes('inbound:read'))
    add(
      'key_changed',
      `${words} lists and reads received faxes, but does not open their documents. Give it inbound:document if it should.`,
    );
  return notes;
}
