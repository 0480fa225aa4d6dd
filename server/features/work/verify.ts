import type { ReadDb } from '../../db/database.ts';
import type { Seal } from '../../platform/seal.ts';
import { filedFaxes } from '../inbound/service.ts';
import { needsItem } from './create-item.ts';
import { historyProblem } from './history-problem.ts';
import { historiesOf, itemsAfter, itemsOfNoRow, listHistory } from './store/history-store.ts';
import { findItem, itemIdsOf } from './store/item-store.ts';

/** Items in memory at a time. */
const PAGE = 200;
/** More than a person reads. */
const MAX_PROBLEMS = 100;
const TRIES = 5;

/** Result of verifying the histories of work items. */
export interface HistoryVerification {
  readonly intact: boolean;
  readonly items: number;
  readonly entries: number;
  /** Each a sentence that names an item, and the entry where there is one; at most 100. */
  readonly problems: readonly string[];
  /** True when the ends were compared with the sealed ones, so that a rewritten history would be found. */
  readonly ends_checked: boolean;
}

/**
 * Walks through every history from its beginning to its end, and compares each item with what its history vouches for. Without
 * a seal, where the data key is not at hand, the sealed ends are not checked.
 */
export async function verifyHistories(db: () => ReadDb, seal: Seal | null): Promise<HistoryVerification> {
  const problems: string[] = [];
  let items = 0;
  let entries = 0;
  for (let after = ''; problems.length < MAX_PROBLEMS; ) {
    const page = await itemsAfter(db(), { after, limit: PAGE });
    const rows = await historiesOf(
      db(),
      page.map(({ id }) => id),
    );
    for (const item of page) {
      const history = rows.get(item.id) ?? [];
      const problem = historyProblem(item, history, seal) && (await problemAtRest(db, item.id, seal));
      if (problem !== null) problems.push(problem);
      entries += history.length;
    }
    items += page.length;
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) break;
  }
  for (const id of await itemsOfNoRow(db(), MAX_PROBLEMS))
    problems.push(`Work item ${id} is missing, but its history is there.`);
  problems.push(...(await faxesWithoutItem(db)));
  const found = problems.slice(0, MAX_PROBLEMS);
  return { intact: found.length === 0, items, entries, problems: found, ends_checked: seal !== null };
}

/** An item that went with its whole history left the document for which it was made. */
async function faxesWithoutItem(db: () => ReadDb): Promise<string[]> {
  const problems: string[] = [];
  for (let after = ''; problems.length < MAX_PROBLEMS; ) {
    const page = await filedFaxes(db(), { after, limit: PAGE });
    // A fax that came from a blocked sender has no item while it is in Junk, and one of a test key has none at all.
    const ids = page.filter((fax) => needsItem(fax) && fax.junk === 0 && fax.test === 0).map(({ id }) => id);
    // Queried after the faxes, since a gateway may be working.
    const items = await itemIdsOf(db(), ids);
    for (const id of ids)
      if (!items.has(id)) problems.push(`The work item of received fax ${id} is missing, with its history.`);
    after = page.at(-1)?.id ?? after;
    if (page.length < PAGE) break;
  }
  return problems;
}

/** The same once more for one item, between two reads in which nobody changed it: a gateway may be working. */
async function problemAtRest(db: () => ReadDb, id: string, seal: Seal | null): Promise<string | null> {
  for (let tried = 1; ; tried += 1) {
    const item = await findItem(db(), id);
    const history = await listHistory(db(), id);
    const after = await findItem(db(), id);
    if (!item) return `Work item ${id} is missing.`;
    // An export adds to the history and leaves the version.
    const isSame = item.version === after?.version && item.history_count === after.history_count;
    if (isSame || tried >= TRIES) return historyProblem(item, history, seal);
  }
}
