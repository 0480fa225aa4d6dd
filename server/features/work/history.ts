import { newId } from '../../platform/ids.ts';
import type { Seal } from '../../platform/seal.ts';
import { GATEWAY_ACTOR } from '../access/service.ts';
import { digestOfEntry, digestOfItem } from './store/history-digest.ts';
import type { HistoryEntryInput, HistoryRow, ItemRow } from './types.ts';

/** Returns the context that binds the sealed end of a history to its item. */
export const endContext = (itemId: string): string => `end of the history of ${itemId}`;

/** Name of the gateway in histories. */
const SYSTEM = 'Faxdesk';

/**
 * The entries that a change leaves, chained to the end that `item` has, and the item with its new end. While nothing may be
 * sealed, the sealed end stays where it was.
 */
export function withEntries(
  seal: Seal,
  item: ItemRow,
  newEntries: readonly HistoryEntryInput[],
  facts: { readonly at: string; readonly ownerName: string | null },
): { item: ItemRow; entries: HistoryRow[] } {
  const item_digest = digestOfItem(item);
  const entries: HistoryRow[] = [];
  let previous = item.history_digest;
  for (const { kind, text, by, id = newId() } of newEntries) {
    const row = {
      id,
      item_id: item.id,
      position: item.history_count + entries.length + 1,
      kind,
      occurred_at: facts.at,
      actor_id: by?.id ?? GATEWAY_ACTOR.id,
      actor: by?.name ?? SYSTEM,
      text,
      owner_id: item.owner_id || null,
      owner: facts.ownerName,
      item_version: item.version,
      item_digest,
      previous,
    };
    previous = digestOfEntry(row);
    entries.push({ ...row, digest: previous });
  }
  const count = item.history_count + entries.length;
  const end =
    seal.problem === null ? seal.seal(JSON.stringify([count, previous]), endContext(item.id)) : null;
  const ended = { history_count: count, history_digest: previous, history_end: end ?? item.history_end };
  return { item: { ...item, ...ended }, entries };
}
