import { type ExpressionBuilder, sql } from 'kysely';
import type { WorkStateKey } from '../../../../shared/states/work.ts';
import type { ReadDb } from '../../../db/database.ts';
import { cutSearch, decodeCursor, searchedRowsPerPart } from '../../../db/keyset.ts';
import type { WorkTables } from '../../../db/schema/work.ts';
import type { ItemRow, Scope } from '../types.ts';
import { noteIntro } from '../work-state.ts';
import { idIn, type KeyRange, rangesOf } from './list-key.ts';

export interface ItemFilter {
  readonly scope: Scope;
  /** Parts of the list, in its order. */
  readonly ranges: readonly KeyRange[];
  /** Restricts the list to these owners; `NOBODY` for items without one. */
  readonly ownerIds?: readonly string[] | undefined;
  readonly mailboxId?: string | undefined;
  /** Restricts open items to those in these states at that time, ISO 8601 UTC. */
  readonly open?: { readonly keys: readonly WorkStateKey[]; readonly now: string } | undefined;
  /** Restricts the list to these ids. */
  readonly ids?: readonly string[] | undefined;
  readonly search?: ItemSearch | undefined;
  /** Stored time: items that changed then or later. Such a list ends like a search. */
  readonly updatedSince?: string | undefined;
}

/** Conditions of a search, one of which must match. */
export interface ItemSearch {
  /** In lower case; parts of the sender's number or of a note. */
  readonly texts: readonly string[];
  /** Numbers of senders, E.164. */
  readonly numbers: readonly string[];
  readonly mailboxIds: readonly string[];
  /** Received faxes that are about it. */
  readonly faxIds: readonly string[];
  /** Time at which the document was filed, ISO 8601 UTC; null for none. */
  readonly day: { readonly since: string; readonly until: string } | null;
}

interface PageFilter extends ItemFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  /** Maximum number of rows that a search scans. */
  readonly maxScanned?: number | undefined;
}

/** A part of what is visible that one index reads in the order of the list. */
interface Part {
  readonly range: KeyRange;
  readonly ownerId?: string;
  readonly mailboxIds?: readonly string[];
  /** Single documents, without those in the mailboxes of other parts. */
  readonly documents?: { readonly faxIds: readonly string[]; readonly notIn: readonly string[] };
}

/**
 * Maximum number of mailboxes read as parts of their own; more are read as one part. SQLite combines at most 500
 * queries.
 */
const MAX_PARTS = 100;
/** More than anybody is granted one by one. */
const MAX_NAMED = 100_000;

/**
 * Lists items in the order of the list, keyset-paged on its key; only the rows of the page are fetched. A search that
 * scanned many items returns its matches so far, and the cursor to continue.
 */
export async function listItems(
  db: ReadDb,
  filter: PageFilter,
): Promise<{ items: ItemRow[]; next_cursor: string | null }> {
  const [after] = filter.cursor === undefined ? [] : decodeCursor(filter.cursor, 1);
  const parts = partsOf(filter);
  if (parts.length === 0) return { items: [], next_cursor: null };
  const maxRows = filter.limit + 1;
  const last = await lastKeyToScan(db, filter, parts, after);
  const keys = await firstOfAll(db, filter, parts, { after, maxRows, last }).execute();
  const page = cutSearch(keys, filter.limit, (key) => [key.list_key], last === undefined ? null : [last]);
  const ids = page.items.map(({ list_key }) => idIn(list_key));
  const rows = ids.length === 0 ? [] : await findItems(db, ids);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { items: ids.flatMap((id) => byId.get(id) ?? []), next_cursor: page.next_cursor };
}

/** Returns the key at which a search stops this time; undefined when it scans everything. */
async function lastKeyToScan(
  db: ReadDb,
  { search, updatedSince, maxScanned, ...filter }: PageFilter,
  parts: readonly Part[],
  after: string | undefined,
): Promise<string | undefined> {
  if ((!search && updatedSince === undefined) || filter.ids) return undefined;
  const maxRows = searchedRowsPerPart(1, maxScanned);
  const scanned = firstOfAll(db, filter, parts, { after, maxRows });
  const [key] = await db
    .selectFrom(scanned.as('scanned'))
    .select('list_key')
    .orderBy('list_key')
    .limit(1)
    .offset(maxRows - 1)
    .execute();
  return key?.list_key;
}

/** Counts the items, up to `maxRows`, which keeps it as fast with a million items. */
export async function countItems(db: ReadDb, filter: ItemFilter, maxRows: number): Promise<number> {
  const parts = partsOf(filter);
  if (parts.length === 0) return 0;
  const [first, ...others] = parts.map((part) => queryPart(db, filter, part).limit(maxRows));
  if (!first) return 0;
  let all = db.selectFrom(first.as('part')).select('part.list_key');
  for (const other of others) all = all.unionAll(db.selectFrom(other.as('part')).select('part.list_key'));
  const counted = db.selectFrom(all.limit(maxRows).as('counted'));
  const row = await counted.select((eb) => eb.fn.countAll().as('count')).executeTakeFirstOrThrow();
  return Number(row.count);
}

async function findItems(db: ReadDb, ids: readonly string[]): Promise<ItemRow[]> {
  return db.selectFrom('work_item').selectAll().where('id', 'in', ids).execute();
}

function partsOf(filter: ItemFilter): Part[] {
  const owners = filter.ownerIds?.map((ownerId) => ({ ownerId })) ?? [{}];
  const visible = visibleParts(filter).flatMap((part) => owners.map((owner) => ({ ...part, ...owner })));
  return filter.ranges.flatMap((range) => visible.map((part) => ({ ...part, range })));
}

function visibleParts({ scope, mailboxId }: ItemFilter): Omit<Part, 'range' | 'ownerId'>[] {
  if (scope.everything) return [mailboxId === undefined ? {} : { mailboxIds: [mailboxId] }];
  const seen = scope.mailboxIds.filter((id) => mailboxId === undefined || id === mailboxId);
  const groups = seen.length > MAX_PARTS ? [seen] : seen.map((id) => [id]);
  const parts: Omit<Part, 'range' | 'ownerId'>[] = groups.map((mailboxIds) => ({ mailboxIds }));
  const isOther = mailboxId !== undefined && !seen.includes(mailboxId);
  if (scope.documentIds.length > 0 && (mailboxId === undefined || isOther))
    parts.push({
      documents: { faxIds: scope.documentIds, notIn: seen },
      ...(mailboxId === undefined ? {} : { mailboxIds: [mailboxId] }),
    });
  return parts;
}

function firstOfAll(
  db: ReadDb,
  filter: ItemFilter,
  parts: readonly Part[],
  { after, maxRows, last }: { after: string | undefined; maxRows: number; last?: string | undefined },
) {
  const firstOf = (part: Part) => {
    let query = queryPart(db, filter, part);
    if (after !== undefined) query = query.where('list_key', '>', after);
    if (last !== undefined) query = query.where('list_key', '<=', last);
    return query.orderBy('list_key').limit(maxRows);
  };
  const [first, ...others] = parts.map(firstOf);
  if (!first) throw new Error('a list without parts was read');
  if (others.length === 0) return first;
  let all = db.selectFrom(first.as('part')).select('part.list_key');
  for (const other of others) all = all.unionAll(db.selectFrom(other.as('part')).select('part.list_key'));
  return db.selectFrom(all.as('parts')).select('list_key').orderBy('list_key').limit(maxRows);
}

/** Only the keys, which an index has: rows of a million are scattered over the disk. */
function queryPart(db: ReadDb, filter: ItemFilter, part: Part) {
  const { range, ownerId, mailboxIds, documents } = part;
  let query = sourceOf(db, filter, part)
    .select('list_key')
    .where('list_key', '>=', range[0])
    .where('list_key', '<', range[1]);
  if (ownerId !== undefined) query = query.where('owner_id', '=', ownerId);
  if (filter.open) query = query.where(hasStateKey(filter.open));
  if (filter.search) query = query.where(matches(filter.search));
  if (filter.updatedSince !== undefined) query = query.where('updated_at', '>=', filter.updatedSince);
  const [only, ...further] = mailboxIds ?? [];
  if (only !== undefined)
    query =
      further.length === 0
        ? query.where('mailbox_id', '=', only)
        : query.where('mailbox_id', 'in', [only, ...further]);
  const seenElsewhere = documents?.notIn ?? [];
  if (seenElsewhere.length === 0) return query;
  return query.where((eb) =>
    eb.or([eb('mailbox_id', 'is', null), eb('mailbox_id', 'not in', seenElsewhere)]),
  );
}

function matches({ texts, numbers, mailboxIds, faxIds, day }: ItemSearch) {
  return (eb: ExpressionBuilder<WorkTables, 'work_item'>) => {
    const contained = texts.flatMap((text) => {
      const part = `%${text.replaceAll(/[\\%_]/gu, '\\$&')}%`;
      return [
        sql<boolean>`from_number like ${part} escape '\\'`,
        sql<boolean>`lower(done_note) like ${part} escape '\\'`,
        hasNote(part),
      ];
    });
    const onDay = day && eb.and([eb('available_at', '>=', day.since), eb('available_at', '<', day.until)]);
    return eb.or([
      ...contained,
      ...(numbers.length > 0 ? [eb('from_number', 'in', numbers)] : []),
      ...(mailboxIds.length > 0 ? [eb('mailbox_id', 'in', mailboxIds)] : []),
      ...(faxIds.length > 0 ? [eb('inbound_fax_id', 'in', faxIds)] : []),
      ...(onDay ? [onDay] : []),
    ]);
  };
}

/** Condition that a note which did not finish the item is like a pattern; one that was taken back is not searched. */
function hasNote(pattern: string) {
  const noteBegin = sql`length(h.actor) + ${sql.lit(noteIntro('').length + 1)}`;
  return sql<boolean>`exists (
    select 1 from work_history as h
    where h.item_id = work_item.id and h.kind = 'noted' and lower(substr(h.text, ${noteBegin})) like ${pattern} escape '\\'
      and not exists (
        select 1 from work_history as u
        where u.item_id = h.item_id and u.kind = 'undone' and u.item_version = h.item_version + 1
      )
  )`;
}

/** An assigned item past its due time is overdue, also before that is recorded. */
function hasStateKey({ keys, now }: NonNullable<ItemFilter['open']>) {
  const [afterOpen = ''] = rangesOf(['acknowledged']).flat();
  return (eb: ExpressionBuilder<WorkTables, 'work_item'>) => {
    const late = eb.and([eb('state_key', '=', 'assigned'), eb('awaited_until', '<=', now)]);
    const inTime = eb.or([eb('awaited_until', 'is', null), eb('awaited_until', '>', now)]);
    const conditions = keys.map((key) => {
      if (key === 'assigned') return eb.and([eb('state_key', '=', key), inTime]);
      return key === 'overdue' ? eb.or([eb('state_key', '=', key), late]) : eb('state_key', '=', key);
    });
    return eb.or([eb('list_key', '>=', afterOpen), ...conditions]);
  };
}

const isNamed = ({ ids }: ItemFilter, { documents }: Part) => ids !== undefined || documents !== undefined;

/**
 * Named items are few and are fetched by id before other conditions apply: SQLite would otherwise scan an index of a
 * million rows for them in the order of the list. The limit keeps it from merging the two queries.
 */
function sourceOf(db: ReadDb, filter: ItemFilter, part: Part) {
  const plain = db.selectFrom('work_item');
  if (!isNamed(filter, part)) return plain;
  let named = plain.selectAll().limit(MAX_NAMED);
  if (filter.ids) named = named.where('id', 'in', filter.ids);
  if (part.documents) named = named.where('inbound_fax_id', 'in', part.documents.faxIds);
  return db.selectFrom(named.as('work_item')) as unknown as typeof plain;
}
