import { sql } from 'kysely';
import type { Backend } from '../../../../shared/backends.ts';
import { INBOUND_STATUSES, type InboundStatus } from '../../../../shared/states/inbound.ts';
import { containsAny, isOnDayOr } from '../../../db/contains.ts';
import type { ReadDb } from '../../../db/database.ts';
import { afterCursor, cutSearch, searchedRowsPerPart, upToKey } from '../../../db/keyset.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';
import type { FaxRow, Scope, TestFaxes } from '../types.ts';
import { underHold } from './hold-store.ts';

export interface FaxFilter {
  /** Restricts the list to these ids. */
  readonly ids?: readonly string[] | undefined;
  readonly scope: Scope;
  readonly statuses?: readonly InboundStatus[] | undefined;
  readonly to?: string | undefined;
  readonly from?: string | undefined;
  readonly mailboxId?: string | undefined;
  readonly backend?: Backend | undefined;
  /** True for what is in Junk only, false for what is not; both when left out. */
  readonly junk?: boolean | undefined;
  /** Without test faxes when left out. */
  readonly testFaxes?: TestFaxes | undefined;
  /** Legal holds, one of which covers the faxes; a list by them ends like a search. */
  readonly holds?: readonly HoldScope[] | undefined;
  /** Only what this person has not opened. */
  readonly unreadBy?: string | undefined;
  /** Texts in lower case, one of which must match. */
  readonly texts?: readonly string[] | undefined;
  /** Span of a day that a search also matches; stored times. */
  readonly day?: { readonly since: string; readonly until: string } | null | undefined;
  /** Mailboxes whose faxes a search also matches. */
  readonly foundMailboxIds?: readonly string[] | undefined;
  /** Stored times: from this one on, and before that one. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Stored time: faxes that changed then or later. Such a list ends like a search. */
  readonly updatedSince?: string | undefined;
  /** Nothing else fits but what came from `oldestUnread` on, what is among `older`, and what is in Junk. */
  readonly unreadRange?: { readonly oldestUnread: string; readonly older: readonly string[] } | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Maximum number of rows that a search scans. */
  readonly maxScanned?: number | undefined;
}

/** A part of what is visible that one index reads in the order of the page. */
interface Part {
  readonly status: InboundStatus | null;
  readonly mailboxIds: readonly string[] | null;
  readonly faxIds: readonly string[] | null;
  /** Only of these, whenever they came. */
  readonly among?: readonly string[];
  /** Only what is in Junk, or only what is not; as the filter says when left out. */
  readonly junk?: boolean;
}

/**
 * Maximum number of mailboxes read as parts of their own; more are read as one part. SQLite combines at most 500
 * queries.
 */
const MAX_PARTS = 100;
/** More than anybody is granted one by one. */
const MAX_NAMED = 100_000;

/**
 * Lists faxes, newest first, keyset-paged on (received_at, id); only the rows of the page are fetched. A search that
 * scanned many faxes returns its matches so far, and the cursor to continue.
 */
export async function listFaxes(
  db: ReadDb,
  filter: FaxFilter,
): Promise<{ items: FaxRow[]; next_cursor: string | null }> {
  const parts = partsOf(filter);
  if (parts.length === 0) return { items: [], next_cursor: null };
  const last = await lastRowToScan(db, filter, parts);
  const keys = await newestOfAll(db, filter, parts, { last }).execute();
  const page = cutSearch(keys, filter.limit, (key) => [key.received_at, key.id], last);
  const rows = await findFaxes(
    db,
    page.items.map(({ id }) => id),
  );
  return { items: page.items.flatMap(({ id }) => rows.get(id) ?? []), next_cursor: page.next_cursor };
}

/**
 * Returns the row at which a search stops this time; of the parts that hold more, the one that gets least far decides.
 */
async function lastRowToScan(
  db: ReadDb,
  { maxScanned, ...filter }: FaxFilter,
  parts: readonly Part[],
): Promise<[string, string] | null> {
  const listed = parts.filter((part) => !isNamed(part));
  const { texts = [], updatedSince, holds } = filter;
  const isSearch = texts.length > 0 || updatedSince !== undefined || holds !== undefined;
  if (!isSearch || listed.length === 0) return null;
  const everything = {
    ...filter,
    texts: undefined,
    updatedSince: undefined,
    holds: undefined,
    unreadBy: undefined,
    backend: undefined,
    limit: 0,
  };
  const skipped = searchedRowsPerPart(listed.length, maxScanned) - 1;
  const [key] = await newestOfAll(db, everything, listed, { skipped }).execute();
  return key ? [key.received_at, key.id] : null;
}

/** Returns the ids of at most `limit` faxes that changed at a stored time or later. */
export async function changedIds(db: ReadDb, since: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('inbound_fax')
    .select('id')
    .where('updated_at', '>=', since)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Time and id of what fits, newest first, at most `limit` of the filter. */
export async function findKeys(
  db: ReadDb,
  filter: FaxFilter,
): Promise<{ received_at: string; id: string }[]> {
  const parts = partsOf(filter);
  if (parts.length === 0) return [];
  return newestOfAll(db, { ...filter, limit: filter.limit - 1 }, parts).execute();
}

/** Returns faxes by id. Works inside a transaction. */
export async function findFaxes(db: ReadDb, ids: readonly string[]): Promise<Map<string, FaxRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('inbound_fax').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function partsOf(filter: FaxFilter): Part[] {
  const parts = visibleParts(filter);
  const { ids } = filter;
  if (ids) return parts.map((part) => ({ ...part, among: ids }));
  if (!filter.unreadRange) return parts;
  const { older } = filter.unreadRange;
  const ranged = older.length === 0 ? parts : [...parts, ...parts.map((part) => ({ ...part, among: older }))];
  if (filter.junk !== undefined) return ranged;
  // Nothing of Junk is in the range.
  const junk = visibleParts({ ...filter, junk: true }).map((part) => ({ ...part, junk: true }));
  return [...ranged.map((part) => ({ ...part, junk: false })), ...junk];
}

function visibleParts(filter: FaxFilter): Part[] {
  const { scope, mailboxId } = filter;
  if (scope.everything) {
    const mailboxIds = mailboxId === undefined ? null : [mailboxId];
    return statusesOf(filter, mailboxIds !== null).map((status) => ({ status, mailboxIds, faxIds: null }));
  }
  const seen = scope.mailboxIds.filter((id) => mailboxId === undefined || id === mailboxId);
  const groups = seen.length > MAX_PARTS ? [seen] : seen.map((id) => [id]);
  const parts: Part[] = groups.flatMap((mailboxIds) =>
    statusesOf(filter, true).map((status) => ({ status, mailboxIds, faxIds: null })),
  );
  if (scope.documentIds.length > 0)
    for (const status of statusesOf(filter, false))
      parts.push({
        status,
        mailboxIds: mailboxId === undefined ? null : [mailboxId],
        faxIds: scope.documentIds,
      });
  return parts;
}

/** The index of mailboxes has the status before the time, so there each status is a part of its own. */
function statusesOf(filter: FaxFilter, ofMailbox: boolean): readonly (InboundStatus | null)[] {
  if (filter.statuses && filter.statuses.length > 0) return [...new Set(filter.statuses)];
  const hasOwnIndex = filter.to !== undefined || filter.from !== undefined || filter.junk === true;
  return ofMailbox && !hasOwnIndex ? INBOUND_STATUSES : [null];
}

/** Only up to the key `last`, and without the newest of each part that are `skipped`. */
interface ScanBounds {
  readonly last?: readonly [string, string] | null;
  readonly skipped?: number;
}

function newestOfAll(db: ReadDb, filter: FaxFilter, parts: readonly Part[], bounds: ScanBounds = {}) {
  const newestOf = (part: Part | null) => newestOfPart(db, filter, part, bounds);
  const [first = null, ...others] = parts;
  if (first === null || (others.length === 0 && !isNamed(first))) return newestOf(first);
  let all = db.selectFrom(newestOf(first).as('part')).selectAll();
  // A single document may lie in a mailbox as well: it is there once.
  for (const part of others) all = all.union(db.selectFrom(newestOf(part).as('part')).selectAll());
  return db
    .selectFrom(all.as('parts'))
    .selectAll()
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
}

function isNamed({ faxIds, among }: Part): boolean {
  return faxIds !== null || among !== undefined;
}

/**
 * Named faxes are few and are fetched by id before other conditions apply: SQLite would otherwise scan an index of a
 * million rows for them. The limit keeps it from merging the two queries.
 */
function sourceOf(db: ReadDb, part: Part | null) {
  const plain = db.selectFrom('inbound_fax');
  if (!part || !isNamed(part)) return plain;
  let named = plain.selectAll().limit(MAX_NAMED);
  for (const ids of [part.faxIds, part.among]) if (ids) named = named.where('id', 'in', ids);
  return db.selectFrom(named.as('inbound_fax')) as unknown as typeof plain;
}

function newestOfPart(
  db: ReadDb,
  filter: FaxFilter,
  part: Part | null,
  { last = null, skipped = 0 }: ScanBounds,
) {
  const { to, from, backend, texts, since, until, updatedSince, limit, cursor } = filter;
  const { testFaxes = 'without' } = filter;
  let query = sourceOf(db, part).select(['received_at', 'id']);
  if (!part || !isNamed(part))
    query = query
      .orderBy('received_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit + 1);
  if (part?.status) query = query.where('status', '=', part.status);
  if (part?.mailboxIds) query = query.where('mailbox_id', 'in', part.mailboxIds);
  const junk = part?.junk ?? filter.junk;
  if (filter.unreadRange && !part?.among && junk !== true)
    query = query.where('received_at', '>=', filter.unreadRange.oldestUnread);
  if (to !== undefined) query = query.where('to_number', '=', to);
  if (from !== undefined) query = query.where('from_number', '=', from);
  if (backend !== undefined) query = query.where('backend', '=', backend);
  // Literals: SQLite uses the indexes of Junk and of test faxes for no parameter.
  if (testFaxes !== 'with')
    query = query.where((eb) => eb('test', '=', eb.lit(testFaxes === 'only' ? 1 : 0)));
  if (junk !== undefined) query = query.where((eb) => eb('junk', '=', eb.lit(junk ? 1 : 0)));
  if (since !== undefined) query = query.where('received_at', '>=', since);
  if (until !== undefined) query = query.where('received_at', '<', until);
  if (updatedSince !== undefined) query = query.where('updated_at', '>=', updatedSince);
  if (texts && texts.length > 0) {
    const found = filter.foundMailboxIds ?? [];
    const matches = filter.day
      ? isOnDayOr(containsAny(texts), filter.day, 'received_at')
      : containsAny(texts);
    query = query.where((eb) =>
      found.length === 0 ? matches : eb.or([matches, eb('mailbox_id', 'in', found)]),
    );
  }
  if (filter.holds !== undefined) query = query.where(underHold(filter.holds));
  if (filter.unreadBy !== undefined) query = query.where(isUnreadBy(filter.unreadBy));
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'received_at', 'id'));
  if (last !== null) query = query.where(upToKey(last, 'received_at', 'id'));
  return skipped === 0 ? query : query.offset(skipped);
}

function isUnreadBy(principalId: string) {
  return sql<boolean>`not exists (select 1 from inbound_read r where r.principal_id = ${principalId} and r.fax_id = inbound_fax.id)`;
}
