import type { ReadDb } from '../../db/database.ts';
import { csvLine } from '../../platform/csv.ts';
import { listSecurityEvents, type SecurityEventFilter } from './store/event-store.ts';
import type { SecurityEntry } from './types.ts';

/** Rows in memory at a time. */
const PAGE_SIZE = 500;
const COLUMNS: Readonly<Record<string, (entry: SecurityEntry) => string | number | null>> = {
  at: (entry) => entry.occurredAt,
  actor_id: (entry) => entry.actor.id,
  actor_name: (entry) => entry.actor.name,
  credential_kind: (entry) => entry.credentialKind,
  operation: (entry) => entry.operation,
  target_kind: (entry) => entry.target.kind,
  target_id: (entry) => entry.target.id,
  outcome: (entry) => entry.outcome,
  policy_version: (entry) => entry.policyVersion,
  request_id: (entry) => entry.requestId,
  details: (entry) => JSON.stringify(entry.details),
  id: (entry) => entry.id,
  last_at: (entry) => entry.lastAt,
  count: (entry) => entry.count,
  seq: (entry) => entry.seq,
  digest: (entry) => entry.digest,
};

/** Presents entries as the answers of the list do. */
export type PresentEntries = (entries: readonly SecurityEntry[]) => Promise<unknown[]>;

type Pages = AsyncGenerator<readonly SecurityEntry[]>;

/** The events of the filter, newest first. What is recorded meanwhile is newer and stays out. */
async function* pagesOf(db: () => ReadDb, filter: SecurityEventFilter): Pages {
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await listSecurityEvents(db(), { ...filter, limit: PAGE_SIZE, cursor });
    yield page.items;
    cursor = page.next_cursor;
  }
}

/** RFC 4180, a line of names first; read from the store page by page. */
export async function* auditAsCsv(db: () => ReadDb, filter: SecurityEventFilter): AsyncGenerator<string> {
  yield csvLine(Object.keys(COLUMNS));
  const columns = Object.values(COLUMNS);
  for await (const page of pagesOf(db, filter))
    yield page.map((entry) => csvLine(columns.map((valueOf) => valueOf(entry)))).join('');
}

/** Yields one JSON list, one entry a line, in the form that `present` returns. */
export async function* auditAsJson(
  db: () => ReadDb,
  filter: SecurityEventFilter,
  present: PresentEntries,
): AsyncGenerator<string> {
  let before = '[\n';
  for await (const page of pagesOf(db, filter))
    for (const entry of await present(page)) {
      yield before + JSON.stringify(entry);
      before = ',\n';
    }
  yield before === '[\n' ? '[]\n' : '\n]\n';
}
