import type { Backend } from '../../../../shared/backends.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../../../db/prepared-query.ts';
import type { HoldScope } from '../../../platform/hold-scope.ts';
import { ForbiddenReceivedStateError, mayBecome } from '../received-state.ts';
import type { FaxRow } from '../types.ts';
import { underNoHold } from './hold-store.ts';

/** Inserts a fax. Returns false when the account has a fax of that id already. */
export async function insertFax(tx: WriteTx, row: FaxRow): Promise<boolean> {
  return (await insertNew(tx, row)).length === 1;
}

const insertNew = prepareInsert(
  (tx) => tx.insertInto('inbound_fax'),
  (insert) =>
    insert
      .onConflict((conflict) => conflict.columns(['provider_account', 'provider_fax_id']).doNothing())
      .returning('id'),
);

const faxById = prepareQuery((db: ReadDb, value: ValueOf<{ id: string }>) =>
  db.selectFrom('inbound_fax').selectAll().where('id', '=', value('id')),
);

export async function findFax(db: ReadDb, id: string): Promise<FaxRow | undefined> {
  return (await faxById(db, { id }))[0];
}

/** Lists faxes whose document was filed, by id, after one. */
export async function filedFaxes(
  db: ReadDb,
  args: { after: string; limit: number },
): Promise<Pick<FaxRow, 'id' | 'backend' | 'junk' | 'test'>[]> {
  return db
    .selectFrom('inbound_fax')
    .select(['id', 'backend', 'junk', 'test'])
    .where('id', '>', args.after)
    .where('status', '=', 'received')
    .orderBy('id')
    .limit(args.limit)
    .execute();
}

/** Returns the filed faxes among these of which pages may be missing, by id, each with a sentence that says so. */
export async function incompleteAmong(
  db: ReadDb,
  faxIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (faxIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_fax')
    .select(['id', 'problem', 'status'])
    .where('id', 'in', faxIds)
    .where('incomplete', '=', 1)
    .execute();
  // Not in the query: SQLite would walk the index of the status, where nearly every fax is.
  const filed = rows.filter(({ status }) => status === 'received');
  return new Map(filed.map(({ id, problem }) => [id, problem ?? '']));
}

/** Returns those of the faxes that are in Junk. */
export async function junkAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (faxIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('inbound_fax')
    .select('id')
    .where('id', 'in', faxIds)
    .where((eb) => eb('junk', '=', eb.lit(1)))
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Counts received faxes by status, without test faxes; a status without faxes is left out. */
export async function countByStatus(db: ReadDb): Promise<Record<string, number>> {
  const rows = await db
    .selectFrom('inbound_fax')
    .select((row) => ['status', row.fn.countAll<number | string>().as('count')])
    .where('test', '=', 0)
    .groupBy('status')
    .execute();
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

/** Returns the time of the newest received fax, ISO 8601 UTC; null when there is none. */
export async function lastReceivedAt(db: ReadDb): Promise<string | null> {
  const row = await db
    .selectFrom('inbound_fax')
    .select('received_at')
    .where('test', '=', 0)
    .orderBy('received_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.received_at ?? null;
}

/**
 * Counts the faxes recorded from one time until before another, ISO 8601 UTC, that were filed with pages that may be
 * missing. Those in Junk ask for nobody, so they are left out.
 */
export async function countIncomplete(db: ReadDb, since: string, until: string): Promise<number> {
  const { count } = await db
    .selectFrom('inbound_fax')
    .select((row) => row.fn.countAll().as('count'))
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .where('status', '=', 'received')
    .where('incomplete', '=', 1)
    .where('junk', '=', 0)
    .where('test', '=', 0)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the faxes in Junk that were recorded from one time until before another, ISO 8601 UTC. */
export async function countJunk(db: ReadDb, since: string, until: string): Promise<number> {
  const { count } = await db
    .selectFrom('inbound_fax')
    .select((row) => row.fn.countAll().as('count'))
    .where((eb) => eb('junk', '=', eb.lit(1)))
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Lists the ids of documents of a backend that were recorded in a span (ISO 8601 UTC), without those in Junk. */
export async function listOfBackend(
  db: ReadDb,
  backend: FaxRow['backend'],
  { since, until }: { readonly since: string; readonly until: string },
): Promise<string[]> {
  const rows = await db
    .selectFrom('inbound_fax')
    .select('id')
    .where('backend', '=', backend)
    .where('received_at', '>=', since)
    .where('received_at', '<', until)
    .where('junk', '=', 0)
    .execute();
  return rows.map(({ id }) => id);
}

export async function findOfProvider(
  db: ReadDb,
  account: string,
  providerIds: readonly string[],
): Promise<Map<string, FaxRow>> {
  if (providerIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('inbound_fax')
    .selectAll()
    .where('provider_account', '=', account)
    .where('provider_fax_id', 'in', providerIds)
    .execute();
  return new Map(rows.map((row) => [row.provider_fax_id, row]));
}

export type FaxChanges = Partial<
  Omit<FaxRow, 'id' | 'test' | 'version' | 'provider_account' | 'provider_fax_id' | 'received_at'>
>;

const updateVersion = prepareUpdate('inbound_fax', ['id', 'version']);

/**
 * Changes a received fax; the only statement that does. Returns null when another change came first, by its version.
 * Throws ForbiddenReceivedStateError for a change that the table of states does not allow.
 */
export async function changeFax(
  tx: WriteTx,
  row: Pick<FaxRow, 'id' | 'version' | 'status'>,
  changes: FaxChanges & { updated_at: string },
): Promise<FaxRow | null> {
  if (!mayBecome(row.status, changes.status ?? row.status))
    throw new ForbiddenReceivedStateError(`${row.status} to ${changes.status}`);
  const [changed] = await updateVersion(tx, { ...changes, version: row.version + 1 }, row);
  return changed ?? null;
}

/** Lists faxes with a document that were received before a time and are under no legal hold. */
export async function listExpired(
  db: ReadDb,
  args: { before: string; holds: readonly HoldScope[]; limit: number },
): Promise<FaxRow[]> {
  return db
    .selectFrom('inbound_fax')
    .selectAll()
    .where('document', 'is not', null)
    .where('received_at', '<', args.before)
    .where(underNoHold(args.holds))
    .orderBy('received_at')
    .limit(args.limit)
    .execute();
}

/** Returns true when any fax names a document. */
export async function namesDocument(db: ReadDb): Promise<boolean> {
  const found = await db
    .selectFrom('inbound_fax')
    .select('id')
    .where('document', 'is not', null)
    .limit(1)
    .execute();
  return found.length > 0;
}

/** Returns those of the documents that belong to a fax, or to one that waits and may be about to name them. */
export async function keptDocuments(db: ReadDb, names: readonly string[]): Promise<Set<string>> {
  const ids = new Map(names.map((name) => [name, faxIdOf(name)]));
  const rows = await db
    .selectFrom('inbound_fax')
    .select(['id', 'document', 'status'])
    .where('id', 'in', [...ids.values()])
    .execute();
  const faxes = new Map(rows.map((row) => [row.id, row]));
  const originals = await keptOriginals(db, names);
  return new Set(
    names.filter((name) => {
      const fax = faxes.get(ids.get(name) ?? '');
      if (fax === undefined) return false;
      return fax.document === name || fax.status !== 'received' || originals.has(name);
    }),
  );
}

async function keptOriginals(db: ReadDb, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('inbound_original')
    .select('document')
    .where('document', 'in', names)
    .execute();
  return new Set(rows.flatMap(({ document }) => document ?? []));
}

/** Documents and originals have names of one length. */
function faxIdOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1, -'-0123456789ab.pdf'.length);
}

/** Lists faxes of a backend whose document is still at its source, filed or not. */
export async function listWithSource(db: ReadDb, backend: Backend): Promise<FaxRow[]> {
  return db
    .selectFrom('inbound_fax')
    .selectAll()
    .where('backend', '=', backend)
    .where('captured', 'is not', null)
    .execute();
}

/** Lists the ids of waiting faxes whose next attempt was due before a time. */
export async function listOverdue(db: ReadDb, args: { before: string; limit: number }): Promise<string[]> {
  const rows = await db
    .selectFrom('inbound_fax')
    .select('id')
    .where('status', '=', 'waiting')
    .where('retry_at', '<', args.before)
    .limit(args.limit)
    .execute();
  return rows.map((row) => row.id);
}

/** Lists faxes in no mailbox or in a disabled one, by id, after an id; test faxes stay where they came in. */
export async function listUnfiled(
  db: ReadDb,
  args: { disabledIds: readonly string[]; after: string; limit: number },
): Promise<FaxRow[]> {
  return db
    .selectFrom('inbound_fax')
    .selectAll()
    .where((eb) =>
      args.disabledIds.length === 0
        ? eb('mailbox_id', 'is', null)
        : eb.or([eb('mailbox_id', 'is', null), eb('mailbox_id', 'in', args.disabledIds)]),
    )
    .where('test', '=', 0)
    .where('id', '>', args.after)
    .orderBy('id')
    .limit(args.limit)
    .execute();
}
