import { DELIVERY_STATES, type DeliveryState } from '../../../../shared/states/outbound.ts';
import { containsAny, isOnDayOr } from '../../../db/contains.ts';
import type { ReadDb } from '../../../db/database.ts';
import { afterCursor, cutSearch, searchedRowsPerPart, upToKey } from '../../../db/keyset.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';
import type { JobRow, SentScope, TestFaxes } from '../types.ts';
import { underHold } from './hold-store.ts';
import { waitsAfter } from './waiting-store.ts';

export interface JobFilter {
  /** Restricts the list to these. */
  readonly ids?: readonly string[] | undefined;
  /** Null and undefined for all faxes. */
  readonly scope?: SentScope | null | undefined;
  /** Without test faxes when left out. */
  readonly testFaxes?: TestFaxes | undefined;
  readonly states?: readonly DeliveryState[] | undefined;
  readonly to?: string | undefined;
  /** The case whose packets are listed. */
  readonly caseId?: string | undefined;
  /** The broadcast whose faxes are listed. */
  readonly broadcastId?: string | undefined;
  /** Legal holds, one of which covers the faxes; a list by them ends like a search. */
  readonly holds?: readonly HoldScope[] | undefined;
  /** Stored time: faxes that wait for a time after it. */
  readonly waitingAfter?: string | undefined;
  /** Digits that the number holds. */
  readonly numberPart?: string | undefined;
  readonly createdBy?: string | undefined;
  /** Search texts in lower case, one of which must match. */
  readonly texts?: readonly string[] | undefined;
  /** Span of a day that a search also matches; stored times. */
  readonly day?: { readonly since: string; readonly until: string } | null | undefined;
  /** Stored times: from this one on, and before that one. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Stored time: faxes that changed then or later. Such a list ends like a search. */
  readonly updatedSince?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Maximum rows that a search reads. */
  readonly lookThrough?: number | undefined;
}

/** A part of what is visible that one index reads in the order of the page. */
interface Part {
  readonly state: DeliveryState | null;
  readonly createdBy: string | undefined;
  readonly mailboxIds: readonly string[] | null;
}

interface JobKey {
  readonly created_at: string;
  readonly id: string;
}

/** Maximum separate queries; with more mailboxes they are read together, since SQLite combines at most 500 queries. */
const MAX_PARTS = 450;

/**
 * Lists the newest first, keyset-paged on (created_at, id). Each state is read in the order of its index and the states
 * are merged, so that any choice of them costs as much as one; only the rows of the page are fetched. A search that
 * reaches its row limit returns the matches so far, and the cursor to continue.
 */
export async function listJobs(
  db: ReadDb,
  filter: JobFilter,
): Promise<{ items: JobRow[]; next_cursor: string | null }> {
  const { keys, last } = await findKeysUpTo(db, { ...filter, limit: filter.limit + 1 });
  const page = cutSearch(keys, filter.limit, (key) => [key.created_at, key.id], last);
  const rows = await findJobs(
    db,
    page.items.map((key) => key.id),
  );
  return { items: page.items.flatMap(({ id }) => rows.get(id) ?? []), next_cursor: page.next_cursor };
}

/**
 * Returns time and ID of the matches, newest first, at most the `limit` of the filter; for a search those among the
 * newest faxes.
 */
export async function findKeys(db: ReadDb, filter: JobFilter): Promise<JobKey[]> {
  return (await findKeysUpTo(db, filter)).keys;
}

/** Does the same and returns the last key that was read; null when there is nothing behind it. */
async function findKeysUpTo(
  db: ReadDb,
  filter: JobFilter,
): Promise<{ keys: JobKey[]; last: [string, string] | null }> {
  const parts = partsOf(filter);
  if (parts.length === 0) return { keys: [], last: null };
  const last = await lastRowToScan(db, filter, parts);
  return { keys: await newestOfAll(db, filter, parts, last).execute(), last };
}

/**
 * Returns the last key to read: among the parts that exceed the row limit of a search, the one that gets least far
 * decides.
 */
async function lastRowToScan(
  db: ReadDb,
  { lookThrough, ...filter }: JobFilter,
  parts: readonly Part[],
): Promise<[string, string] | null> {
  const { texts = [], numberPart, updatedSince } = filter;
  const isSearch = texts.length > 0 || [numberPart, updatedSince, filter.holds].some(isGiven);
  if (!isSearch || filter.ids) return null;
  const everything = {
    ...filter,
    texts: undefined,
    numberPart: undefined,
    updatedSince: undefined,
    holds: undefined,
    limit: 1,
  };
  const skipped = searchedRowsPerPart(parts.length, lookThrough) - 1;
  const [key] = await newestOfAll(db, everything, parts, null, skipped).execute();
  return key ? [key.created_at, key.id] : null;
}

const isGiven = (value: unknown): boolean => value !== undefined;

/** Returns faxes by ID. */
export async function findJobs(db: ReadDb, ids: readonly string[]): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('fax_job').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function partsOf(filter: JobFilter): Part[] {
  const { scope, createdBy } = filter;
  if (!scope) return statesToRead(filter).map((state) => ({ state, createdBy, mailboxIds: null }));
  const isOwnOnly = createdBy === scope.personId;
  const own = isOwnOnly || createdBy === undefined ? ownParts(filter, scope) : [];
  return isOwnOnly ? own : [...own, ...mailboxParts(filter, scope.mailboxIds)];
}

function ownParts(filter: JobFilter, { personId: createdBy, ownMailboxIds: mailboxIds }: SentScope): Part[] {
  if (mailboxIds?.length === 0) return [];
  return statesToRead({ ...filter, createdBy }).map((state) => ({ state, createdBy, mailboxIds }));
}

function mailboxParts(filter: JobFilter, mailboxIds: readonly string[]): Part[] {
  const { createdBy } = filter;
  // Among the faxes of a mailbox one sender has no index of their own.
  const states = statesToRead({ ...filter, createdBy: undefined });
  const isMany = states.length * mailboxIds.length > MAX_PARTS;
  const groups = isMany ? [mailboxIds] : mailboxIds.map((id) => [id]);
  return groups.flatMap((group) => states.map((state) => ({ state, createdBy, mailboxIds: group })));
}

/** None when the time alone orders the list: the indexes of numbers and persons have the state before the time. */
function statesToRead({ states, waitingAfter, to, createdBy }: JobFilter): readonly (DeliveryState | null)[] {
  if (waitingAfter !== undefined) return ['ready'];
  if (states && states.length > 0) return [...new Set(states)];
  return to === undefined && createdBy === undefined ? [null] : DELIVERY_STATES;
}

function newestOfAll(
  db: ReadDb,
  filter: JobFilter,
  parts: readonly Part[],
  last: readonly [string, string] | null,
  skipped = 0,
) {
  const newestOf = (part: Part) => newestOfPart(db, filter, part, last, skipped);
  const [first, ...others] = parts;
  if (!first) throw new Error('a list has at least one part');
  if (others.length === 0) return newestOf(first);
  let all = db.selectFrom(newestOf(first).as('part')).selectAll();
  for (const part of others) {
    const more = db.selectFrom(newestOf(part).as('part')).selectAll();
    // The caller's own fax may be in a mailbox as well: the union lists it once.
    all = filter.scope ? all.union(more) : all.unionAll(more);
  }
  return db
    .selectFrom(all.as('parts'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit);
}

/** The newest of one part up to the key `last`, but for as many as are `skipped`. */
function newestOfPart(
  db: ReadDb,
  filter: JobFilter,
  { state, createdBy, mailboxIds }: Part,
  last: readonly [string, string] | null,
  skipped: number,
) {
  const { to, caseId, broadcastId, numberPart, texts, since, until, updatedSince, limit, cursor } = filter;
  const { testFaxes = 'without' } = filter;
  let query = sourceOf(db, filter.ids)
    .select(['created_at', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  // A literal: SQLite uses the index of test faxes for no parameter.
  if (testFaxes !== 'with')
    query = query.where((eb) => eb('test', '=', eb.lit(testFaxes === 'only' ? 1 : 0)));
  if (state !== null) query = query.where('delivery_state', '=', state);
  if (mailboxIds !== null) query = query.where('mailbox_id', 'in', mailboxIds);
  if (to !== undefined) query = query.where('to_number', '=', to);
  if (caseId !== undefined) query = query.where('case_id', '=', caseId);
  if (broadcastId !== undefined) query = query.where('broadcast_id', '=', broadcastId);
  if (filter.holds !== undefined) query = query.where(underHold(filter.holds));
  if (filter.waitingAfter !== undefined) query = query.where(waitsAfter(filter.waitingAfter));
  if (numberPart !== undefined) query = query.where('to_number', 'like', `%${numberPart}%`);
  if (createdBy !== undefined) query = query.where('created_by', '=', createdBy);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  if (updatedSince !== undefined)
    query = query.where((eb) =>
      eb.or([eb('updated_at', '>=', updatedSince), eb('described_at', '>=', updatedSince)]),
    );
  if (texts && texts.length > 0)
    query = query.where(
      filter.day ? isOnDayOr(containsAny(texts), filter.day, 'created_at') : containsAny(texts),
    );
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'created_at', 'id'));
  if (last !== null) query = query.where(upToKey(last, 'created_at', 'id'));
  return skipped === 0 ? query : query.offset(skipped);
}

/**
 * Fetches named faxes by ID before any other filter applies, because they are few: SQLite would otherwise walk an index
 * of a million to find them. The limit keeps it from merging the two queries.
 */
function sourceOf(db: ReadDb, ids: readonly string[] | undefined) {
  const plain = db.selectFrom('fax_job');
  if (ids === undefined) return plain;
  const named = plain.selectAll().where('id', 'in', ids).limit(ids.length);
  return db.selectFrom(named.as('fax_job')) as unknown as typeof plain;
}
