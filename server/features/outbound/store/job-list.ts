import { sql } from 'kysely';
import { DELIVERY_STATES, type DeliveryState } from '../../../../shared/states.ts';
import type { ReadDb } from '../../../db/database.ts';
import { cutPage, decodeCursor } from '../../../db/keyset.ts';
import type { JobRow } from '../types.ts';

export interface JobFilter {
  readonly states?: readonly DeliveryState[] | undefined;
  readonly to?: string | undefined;
  readonly createdBy?: string | undefined;
  /** Texts in lower case, one of which is looked for. */
  readonly texts?: readonly string[] | undefined;
  /** Stored times: from this one on, and before that one. */
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * Newest first, keyset-paged on (created_at, id). Each state is read in the order of its index and the states are put
 * together, so that any choice of them costs what one costs; only the rows of the page are fetched.
 */
export async function listJobs(
  db: ReadDb,
  filter: JobFilter,
): Promise<{ items: JobRow[]; next_cursor: string | null }> {
  const keys = await pageOf(db, filter).execute();
  const page = cutPage(keys, filter.limit, (key) => [key.created_at, key.id]);
  const rows = await findJobs(
    db,
    page.items.map((key) => key.id),
  );
  return { items: page.items.flatMap(({ id }) => rows.get(id) ?? []), next_cursor: page.next_cursor };
}

async function findJobs(db: ReadDb, ids: readonly string[]): Promise<Map<string, JobRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('fax_job').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function pageOf(db: ReadDb, filter: JobFilter) {
  const [first = null, ...others] = statesToRead(filter);
  if (others.length === 0) return newestOf(db, filter, first);
  let all = db.selectFrom(newestOf(db, filter, first).as('part')).selectAll();
  for (const state of others)
    all = all.unionAll(db.selectFrom(newestOf(db, filter, state).as('part')).selectAll());
  return db
    .selectFrom(all.as('parts'))
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(filter.limit + 1);
}

/** None when the time alone orders the list: the indexes of numbers and persons have the state before the time. */
function statesToRead({ states, to, createdBy }: JobFilter): readonly DeliveryState[] {
  if (states && states.length > 0) return [...new Set(states)];
  return to === undefined && createdBy === undefined ? [] : DELIVERY_STATES;
}

function newestOf(db: ReadDb, filter: JobFilter, state: DeliveryState | null) {
  const { to, createdBy, texts, since, until, limit, cursor } = filter;
  let query = db
    .selectFrom('fax_job')
    .select(['created_at', 'id'])
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (state !== null) query = query.where('delivery_state', '=', state);
  if (to !== undefined) query = query.where('to_number', '=', to);
  if (createdBy !== undefined) query = query.where('created_by', '=', createdBy);
  if (since !== undefined) query = query.where('created_at', '>=', since);
  if (until !== undefined) query = query.where('created_at', '<', until);
  if (texts && texts.length > 0) query = query.where((eb) => eb.or(texts.map(contains)));
  if (cursor !== undefined) {
    const [at = '', id = ''] = decodeCursor(cursor, 2);
    // The plain comparison lets both databases start at the index entry instead of walking to it.
    query = query
      .where('created_at', '<=', at)
      .where((eb) => eb.or([eb('created_at', '<', at), eb('id', '<', id)]));
  }
  return query;
}

function contains(text: string) {
  const part = `%${text.replaceAll(/[\\%_]/gu, '\\$&')}%`;
  return sql<boolean>`search_text like ${part} escape '\\'`;
}

/** How many faxes of each person are in each state; read from one index. */
export async function countByCreator(
  db: ReadDb,
): Promise<{ created_by: string; delivery_state: DeliveryState; count: number }[]> {
  return db
    .selectFrom('fax_job')
    .select((eb) => ['created_by', 'delivery_state', eb.fn.countAll<number>().as('count')])
    .groupBy(['created_by', 'delivery_state'])
    .execute();
}
