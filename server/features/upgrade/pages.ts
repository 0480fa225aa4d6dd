import type { WriteTx } from '../../db/database.ts';
import type { PartContext } from './parts.ts';
import type { EarlierRow } from './store.ts';
import type { UpgradeNote, UpgradePart } from './types.ts';

/** Rows that are moved in one transaction. */
const PAGE = 250;

/** Effect of a page of rows. */
interface PageResult {
  readonly counts: Readonly<Record<string, number>>;
  readonly notes: readonly UpgradeNote[];
  readonly write: (tx: WriteTx) => Promise<void>;
}

/** Moves the rows of a table page by page, from where the part was left. */
export async function eachPage(
  { earlier, recorder, onProgress }: Pick<PartContext, 'earlier' | 'recorder' | 'onProgress'>,
  { part, table, next }: { part: UpgradePart; table: string; next: UpgradePart },
  move: (rows: readonly EarlierRow[]) => Promise<PageResult>,
): Promise<void> {
  const total = await earlier.count(table);
  let after = recorder.run.after;
  let done = 0;
  for (;;) {
    const page = await earlier.page(table, after, PAGE);
    const { counts, notes, write } = await move(page.rows);
    const isLast = page.after === null;
    await recorder.commit(isLast ? next : part, { counts, notes, after: page.after, write });
    done += page.rows.length;
    onProgress({ part, done: Math.min(done, total), total });
    if (isLast) return;
    after = page.after;
  }
}
