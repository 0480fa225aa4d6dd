import { LIMITS } from '../../../shared/limits.ts';
import type { WriteTx } from '../../db/database.ts';
import { isoTime } from '../../platform/clock.ts';
import { foldName } from '../../platform/search-text.ts';
import type { Caller } from '../access/service.ts';
import { type ContactRead, loadContact, notifyOfKey, settle } from './changes.ts';
import { fieldsOf, rowOf } from './contact-row.ts';
import { notMergeable, stale } from './errors.ts';
import type { ContactsParts } from './parts.ts';
import { keyColumns, openSharedKey } from './shared-key.ts';
import { deleteContact, findContact, updateContact } from './store/contact-store.ts';
import type { ContactFields, ContactRow } from './types.ts';

interface MergeOrder {
  readonly read: ContactRead;
  readonly other: ContactRead;
  readonly checkOnly: boolean;
}

/**
 * Merges another contact into a contact and removes the other one. Throws 404, 409 for one that changed since its version,
 * and 409 when both together have more than one contact can have. With `checkOnly` nothing changes.
 */
export async function mergeContacts(
  parts: ContactsParts,
  caller: Caller,
  { read, other, checkOnly }: MergeOrder,
): Promise<ContactRow> {
  if (read.id === other.id) throw notMergeable('This is one and the same contact.');
  const key = await inheritedKey(parts, read.id, other.id);
  return parts.db.transaction(async (tx) => {
    const before = await loadContact(tx, caller, read);
    const removed = await loadContact(tx, caller, other);
    const fields = mergedFields(fieldsOf(before), fieldsOf(removed));
    const at = isoTime(parts.clock.now());
    const optedOut =
      [before, removed].flatMap(({ opted_out_at }) => opted_out_at ?? []).toSorted()[0] ?? null;
    const takesKey = before.shared_key === null && removed.shared_key !== null;
    const change = { ...rowOf(fields, at, optedOut), ...(takesKey && key), updated_at: at };
    const merged = { ...before, ...change };
    if (checkOnly) return merged;
    if (!(await deleteContact(tx, other))) throw stale();
    if (!(await updateContact(tx, read, change))) throw stale();
    const row = { ...merged, version: before.version + 1 };
    await settleMerge(parts, tx, caller, { before, removed, row });
    return row;
  });
}

async function settleMerge(
  parts: ContactsParts,
  tx: WriteTx,
  caller: Caller,
  { before, removed, row }: { before: ContactRow; removed: ContactRow; row: ContactRow },
): Promise<void> {
  const details = { merged: removed.id };
  await settle(parts, tx, caller, { operation: 'contact.merge', row, before, details });
  const gone = { id: removed.id, version: removed.version + 1, owners: [removed.owner_mailbox_id] };
  parts.db.onCommit(tx, () => parts.events.publish('contact.changed', gone));
  if (row.shared_key !== null) await notifyOfKey(parts, tx, row);
}

/** Seals the key of the other contact for the one that takes it over; a key is sealed for its contact. */
async function inheritedKey(parts: ContactsParts, id: string, otherId: string) {
  const other = await findContact(parts.db.read, otherId);
  const key = other ? openSharedKey(parts, other) : null;
  return key === null ? undefined : keyColumns(parts, id, key);
}

/** Returns the fields of the contact that both become. Throws a 409 refusal when they do not fit in one. */
function mergedFields(kept: ContactFields, other: ContactFields): ContactFields {
  const others = new Set([
    ...kept.other_fax_numbers,
    ...[other.fax_number, ...other.other_fax_numbers].filter((number) => number !== kept.fax_number),
  ]);
  if (others.size > LIMITS.contactNumbers)
    throw notMergeable(
      `Together they have more than ${LIMITS.contactNumbers + 1} fax numbers. Remove some of them first.`,
    );
  const tags = new Map([...other.tags, ...kept.tags].map((tag) => [foldName(tag), tag]));
  if (tags.size > LIMITS.contactTags)
    throw notMergeable(`Together they have more than ${LIMITS.contactTags} tags. Remove some of them first.`);
  const note = mergedNote(kept, other);
  if (note !== null && note.length > LIMITS.contactLengths.note)
    throw notMergeable('Their notes do not fit into one. Shorten one of them first.');
  const filled = Object.fromEntries(
    (Object.keys(kept) as (keyof ContactFields)[]).map((name) => [name, kept[name] ?? other[name]]),
  ) as unknown as ContactFields;
  const takesPages = kept.encoded_pages === 'off' && other.encoded_pages !== 'off';
  return {
    ...filled,
    note,
    other_fax_numbers: [...others],
    tags: [...tags.values()],
    // A merge hides no contact that everybody sees.
    owner_mailbox_id: kept.owner_mailbox_id,
    encoded_pages: takesPages ? other.encoded_pages : kept.encoded_pages,
    blocked: kept.blocked || other.blocked,
    opted_out: kept.opted_out || other.opted_out,
  };
}

/** Texts of a contact of which one is kept; the other goes to the note, so that nothing is lost. */
const SINGLE = ['name', 'organization', 'voice_number', 'address', 'consent_note'] as const;

function mergedNote(kept: ContactFields, other: ContactFields): string | null {
  const lost = SINGLE.flatMap((name) => {
    const [mine, theirs] = [kept[name], other[name]];
    return mine === null || theirs === null || mine === theirs ? [] : [theirs.replaceAll('\n', ', ')];
  });
  const notes = [kept.note, other.note === kept.note ? null : other.note, lost.join(' · ')];
  return notes.filter((text) => text !== null && text !== '').join('\n') || null;
}
