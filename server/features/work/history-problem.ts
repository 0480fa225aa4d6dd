import { z } from 'zod';
import { CHAIN_BEGINNING } from '../../platform/chain-digest.ts';
import type { Seal } from '../../platform/seal.ts';
import { endContext } from './history.ts';
import { digestOfEntry, digestOfItem } from './store/history-digest.ts';
import type { HistoryRow, ItemRow } from './types.ts';

/**
 * Returns the first problem of an item and its history, as a sentence; null for none. Without a seal the sealed end is
 * not checked.
 */
export function historyProblem(
  item: ItemRow,
  history: readonly HistoryRow[],
  seal: Seal | null,
): string | null {
  const entry = (position: number) => `Entry ${position} of the history of work item ${item.id}`;
  let previous = CHAIN_BEGINNING;
  const digests = [previous];
  for (const [index, row] of history.entries()) {
    const position = index + 1;
    if (row.position > position) return `${entry(position)} is missing.`;
    if (row.position !== position || row.previous !== previous || row.digest !== digestOfEntry(row))
      return `${entry(row.position)} was altered or moved.`;
    previous = row.digest;
    digests.push(previous);
  }
  const sealed = seal && openEnd(seal, item);
  if (sealed === 'altered')
    return `The sealed end of the history of work item ${item.id} was altered or removed.`;
  const count = Math.max(item.history_count, sealed?.count ?? 0);
  if (history.length < count) return `${entry(history.length + 1)} is missing.`;
  const last = history.at(-1);
  if (last?.digest !== item.history_digest || history.length > item.history_count)
    return `${entry(history.length)} was altered or moved.`;
  if (sealed && digests[sealed.count] !== sealed.digest)
    return `${entry(sealed.count)} was altered or moved.`;
  if (last.item_digest !== digestOfItem(item) || last.item_version !== item.version)
    return `Work item ${item.id} was altered: it does not match its history.`;
  return null;
}

const SealedEnd = z.tuple([z.number().int(), z.string()]);

function openEnd(seal: Seal, { id, history_end }: ItemRow): { count: number; digest: string } | 'altered' {
  try {
    const [count, digest] = SealedEnd.parse(JSON.parse(seal.open(history_end ?? '', endContext(id))));
    return { count, digest };
  } catch {
    return 'altered';
  }
}
