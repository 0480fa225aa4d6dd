import { historyProblem } from '../history-problem.ts';
import { listKey } from '../store/list-key.ts';
import type { HistoryRow, ItemRow } from '../types.ts';
import type { EvidenceManifest, ManifestHistory, ManifestItem } from './manifest.ts';

/**
 * Returns a sentence that says which part of the item or history in a manifest differs from the record; null when none
 * does.
 */
export function manifestHistoryProblem({ item, document, history }: EvidenceManifest): string | null {
  const entries = history.map((entry) => entryOf(item.id, entry));
  return historyProblem(itemOf(item, document.sha256, entries), entries, null);
}

/** As the store has it. */
function entryOf(item_id: string, entry: ManifestHistory): HistoryRow {
  return { ...entry, item_id };
}

/** The row by whose digest the history vouches for the item. */
function itemOf(item: ManifestItem, sha256: string, entries: readonly HistoryRow[]): ItemRow {
  const { state: _state, state_text: _text, mailbox, owner, ...rest } = item;
  const row = {
    ...rest,
    sha256,
    mailbox_id: mailbox?.id ?? null,
    is_test: item.is_test ? 1 : 0,
    owner_id: owner?.id ?? '',
    acknowledged_by: item.acknowledged_by?.id ?? null,
    escalated_to: item.escalated_to?.id ?? null,
    done_by: item.done_by?.id ?? null,
    // Every item has an entry.
    history_count: Math.max(1, entries.length),
    history_digest: entries.at(-1)?.digest ?? '',
    history_end: null,
  } as const;
  return { ...row, list_key: listKey(row) };
}
