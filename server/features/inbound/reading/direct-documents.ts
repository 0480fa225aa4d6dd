import { DIRECT_BACKEND } from '../../../../shared/backends.ts';
import type { InboundParts } from '../parts.ts';
import { listOfBackend } from '../store/fax-store.ts';

/** Ids in one query. */
const BATCH = 500;

/**
 * Counts the documents that partners delivered directly in a span (ISO 8601 UTC) and that have no work item, so that no
 * statistics of work include them.
 */
export async function countDirectWithoutItem(
  { db, workItems }: Pick<InboundParts, 'db' | 'workItems'>,
  span: { readonly since: string; readonly until: string },
): Promise<number> {
  const ids = await listOfBackend(db.read, DIRECT_BACKEND, span);
  let withItem = 0;
  for (let at = 0; at < ids.length; at += BATCH)
    withItem += (await workItems().idsOf(db.read, ids.slice(at, at + BATCH))).size;
  return ids.length - withItem;
}
