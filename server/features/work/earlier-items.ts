import type { WriteTx } from '../../db/database.ts';
import { epochOf } from '../../platform/clock.ts';
import { derivedId } from '../../platform/ids.ts';
import type { Seal } from '../../platform/seal.ts';
import { NEW_ITEM, needsItem } from './create-item.ts';
import { withEntries } from './history.ts';
import { insertEntries } from './store/history-store.ts';
import { firstItemsWith, insertItems } from './store/item-store.ts';
import { listKey } from './store/list-key.ts';
import type { EarlierDocument, HistoryRow, ItemRow } from './types.ts';

const NO_TARGET = { due_at: null, due_hours: null, due_source: null, awaited_until: null } as const;

/**
 * Adds an item for every received document of an earlier release, which had no work queue. A document that came shortly
 * before the upgrade waits for an owner, since it may still have to be read; older ones are done. None has a target:
 * it would be missed at once.
 */
export async function addEarlierItems(
  tx: WriteTx,
  seal: Seal,
  documents: readonly EarlierDocument[],
  { now, openSince }: { readonly now: string; readonly openSince: string },
): Promise<void> {
  const wanted = documents.filter(needsItem);
  if (wanted.length === 0) return;
  const first = await firstItemsWith(
    tx,
    wanted.map(({ sha256 }) => sha256),
  );
  const items: ItemRow[] = [];
  const entries: HistoryRow[] = [];
  for (const document of wanted) {
    const id = derivedId(epochOf(document.receivedAt), `work item of ${document.id}`);
    const made = itemOf(seal, document, {
      id,
      now,
      openSince,
      duplicateOf: first.get(document.sha256) ?? null,
    });
    if (!first.has(document.sha256)) first.set(document.sha256, id);
    items.push(made.item);
    entries.push(...made.entries);
  }
  await insertItems(tx, items);
  await insertEntries(tx, entries);
}

function itemOf(
  seal: Seal,
  document: EarlierDocument,
  facts: { id: string; now: string; openSince: string; duplicateOf: string | null },
) {
  const { receivedAt } = document;
  const isOpen = receivedAt >= facts.openSince;
  const row: ItemRow = {
    ...NEW_ITEM,
    ...NO_TARGET,
    id: facts.id,
    inbound_fax_id: document.id,
    mailbox_id: document.mailboxId,
    from_number: document.from,
    to_number: document.to,
    pages: document.pages,
    sha256: document.sha256,
    is_test: 0,
    available_at: receivedAt,
    updated_at: receivedAt,
    duplicate_of: facts.duplicateOf,
    list_key: '',
    ...(isOpen ? {} : { state_key: 'done', done_at: facts.now, done_note: DONE_NOTE }),
  };
  const listed = { ...row, list_key: listKey(row) };
  const text = isOpen ? OPEN_TEXT : DONE_TEXT;
  const id = derivedId(epochOf(receivedAt), `work history of ${document.id}`);
  return withEntries(seal, listed, [{ kind: 'created', text, id }], { at: receivedAt, ownerName: null });
}

const DONE_NOTE = 'Received by an earlier release';
const OPEN_TEXT =
  'The document was received by an earlier release and waits for an owner. It has no acknowledgement target.';
const DONE_TEXT =
  'The document was received by an earlier release, which had no work queue. It counts as done since the upgrade; nobody recorded who handled it.';
