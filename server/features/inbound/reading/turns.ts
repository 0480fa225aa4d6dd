import type { Caller } from '../../access/service.ts';
import { type ChangeParts, change } from '../changes.ts';
import { noSuchPage } from '../errors.ts';
import { findFax } from '../store/fax-store.ts';
import type { FaxRow } from '../types.ts';
import { assertMay } from '../visibility.ts';
import { storedNameOf } from './open-document.ts';

interface PageTurn {
  readonly page: number;
  /** To the right, 1 to 3. */
  readonly quarter_turns: number;
}

/** Returns the pages that people turned, in order. */
export function turnedPages({ turns }: Pick<FaxRow, 'turns'>): PageTurn[] {
  if (turns === null) return [];
  const byPage = JSON.parse(turns) as Record<string, number>;
  return Object.entries(byPage)
    .map(([page, quarter_turns]) => ({ page: Number(page), quarter_turns }))
    .sort((a, b) => a.page - b.page);
}

/**
 * Records how far pages are turned when they are shown. The document is not changed, and turning it is no evidence about
 * it. Throws refusals for a fax without a document, and for a page that it does not have.
 */
export async function turnPages(
  parts: ChangeParts,
  caller: Caller,
  { id, pages, quarterTurns }: { id: string; pages: readonly number[]; quarterTurns: number },
): Promise<FaxRow> {
  return parts.db.transaction(async (tx) => {
    const row = assertMay(caller, 'inbound:document', await findFax(tx, id));
    storedNameOf(row);
    const count = row.pages ?? 0;
    const missing = pages.find((page) => page > count);
    if (missing !== undefined) throw noSuchPage({ page: missing, pages: count });
    const next = new Map(turnedPages(row).map(({ page, quarter_turns }) => [page, quarter_turns]));
    for (const page of pages) {
      if (quarterTurns === 0) next.delete(page);
      else next.set(page, quarterTurns);
    }
    const turns = next.size === 0 ? null : JSON.stringify(Object.fromEntries(next));
    return turns === row.turns ? row : change(parts, tx, row, { turns }, null);
  });
}
