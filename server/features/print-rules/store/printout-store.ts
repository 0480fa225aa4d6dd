import type { PrintState } from '../../../../shared/states/print-rules.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import { ForbiddenPrintStateError, mayBecome } from '../printout-state.ts';
import type { PrintoutChanges, PrintoutRow, Scope } from '../types.ts';

/** Attempts after which people are warned: a printer was away for a few minutes by then. */
const STUCK_FAILURES = 3;

export interface PrintoutFilter {
  readonly ids?: readonly string[] | undefined;
  readonly state?: readonly PrintState[] | undefined;
  readonly fax_id?: string | undefined;
  readonly rule_id?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** False when the rule has a printout of the fax already. */
export async function insertPrintout(tx: WriteTx, row: PrintoutRow): Promise<boolean> {
  const result = await tx
    .insertInto('printout')
    .values(row)
    .onConflict((conflict) => conflict.columns(['fax_id', 'rule_id']).doNothing())
    .executeTakeFirst();
  return Number(result.numInsertedOrUpdatedRows ?? 0) === 1;
}

export async function findPrintout(db: ReadDb, id: string): Promise<PrintoutRow | undefined> {
  return db.selectFrom('printout').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Oldest first. */
export async function printoutsOfFax(db: ReadDb, faxId: string): Promise<PrintoutRow[]> {
  return db
    .selectFrom('printout')
    .selectAll()
    .where('fax_id', '=', faxId)
    .orderBy('recorded_at')
    .orderBy('id')
    .execute();
}

export async function printoutsInStates(db: ReadDb, states: readonly PrintState[]): Promise<PrintoutRow[]> {
  return db.selectFrom('printout').selectAll().where('state', 'in', states).execute();
}

/**
 * The only statement that changes a printout. Guarded by the version: null when another change came first. Throws
 * ForbiddenPrintStateError for a change that the table of states does not allow.
 */
export async function changePrintout(
  tx: WriteTx,
  printout: Pick<PrintoutRow, 'id' | 'version' | 'state'>,
  changes: PrintoutChanges & { updated_at: string },
): Promise<PrintoutRow | null> {
  if (changes.state !== undefined && !mayBecome(printout.state, changes.state))
    throw new ForbiddenPrintStateError(`${printout.state} to ${changes.state}`);
  const changed = await tx
    .updateTable('printout')
    .set({ ...changes, version: printout.version + 1 })
    .where('id', '=', printout.id)
    .where('version', '=', printout.version)
    .returningAll()
    .executeTakeFirst();
  return changed ?? null;
}

const ALL: Scope = { everything: true, mailboxIds: [], documentIds: [] };

/** Counts the printouts by state, those of a scope or all; states without any are left out. */
export async function countPrintouts(
  db: ReadDb,
  { everything, mailboxIds, documentIds }: Scope = ALL,
): Promise<{ state: PrintState; printouts: number }[]> {
  const rows = await db
    .selectFrom('printout')
    .where((eb) =>
      everything
        ? eb.lit(true)
        : eb.or([
            ...(mailboxIds.length > 0 ? [eb('mailbox_id', 'in', mailboxIds)] : []),
            ...(documentIds.length > 0 ? [eb('fax_id', 'in', documentIds)] : []),
          ]),
    )
    .select((eb) => ['state', eb.fn.countAll<number | string>().as('printouts')])
    .groupBy('state')
    .execute();
  return rows.map(({ state, printouts }) => ({ state, printouts: Number(printouts) }));
}

/** Counts all printouts in a state, by its index. */
export async function countInState(db: ReadDb, state: PrintState): Promise<number> {
  const row = await db
    .selectFrom('printout')
    .select((eb) => eb.fn.countAll<number | string>().as('printouts'))
    .where('state', '=', state)
    .executeTakeFirst();
  return Number(row?.printouts ?? 0);
}

/** Returns those of the faxes with a printout that has not ended. */
export async function unprintedAmong(db: ReadDb, faxIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (faxIds.length === 0) return new Set();
  const rows = await db
    .selectFrom('printout')
    .select('fax_id')
    .where('fax_id', 'in', faxIds)
    .where('state', 'not in', ['printed', 'given', 'canceled'])
    .execute();
  return new Set(rows.map(({ fax_id }) => fax_id));
}

/** Deletes the printouts of faxes, those of a few dozen at most. One that waits is then never printed. */
export async function deletePrintouts(tx: WriteTx, faxIds: readonly string[]): Promise<void> {
  if (faxIds.length > 0) await tx.deleteFrom('printout').where('fax_id', 'in', faxIds).execute();
}

/** Lists those of a scope, newest first, keyset-paged on (recorded_at, id). Throws a 400 refusal on a wrong cursor. */
export async function listPrintouts(
  db: ReadDb,
  { everything, mailboxIds, documentIds }: Scope,
  filter: PrintoutFilter,
): Promise<{ items: PrintoutRow[]; next_cursor: string | null }> {
  const newest = newestPrintouts(db, filter);
  // Each mailbox has its newest in an index; a search in several of them at once would sort all that they hold.
  const parts = everything
    ? [newest]
    : [
        ...mailboxIds.map((id) => newest.where('mailbox_id', '=', id)),
        ...(documentIds.length > 0 ? [newest.where('fax_id', 'in', documentIds)] : []),
      ];
  const found = new Map<string, PrintoutRow>();
  for (const part of parts) for (const row of await part.execute()) found.set(row.id, row);
  const rows = [...found.values()].sort((a, b) => (isNewer(a, b) ? -1 : 1)).slice(0, filter.limit + 1);
  return cutPage(rows, filter.limit, (row) => [row.recorded_at, row.id]);
}

const isNewer = (a: PrintoutRow, b: PrintoutRow) =>
  a.recorded_at > b.recorded_at || (a.recorded_at === b.recorded_at && a.id > b.id);

function newestPrintouts(db: ReadDb, { ids, state, fax_id, rule_id, limit, cursor }: PrintoutFilter) {
  let query = db.selectFrom('printout').selectAll();
  if (ids !== undefined) query = query.where('id', 'in', ids);
  if (state !== undefined) query = query.where('state', 'in', state);
  if (fax_id !== undefined) query = query.where('fax_id', '=', fax_id);
  if (rule_id !== undefined) query = query.where('rule_id', '=', rule_id);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'recorded_at', 'id'));
  return query
    .orderBy('recorded_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
}

/** Returns the ids of the printouts of a rule that wait, oldest first. */
export async function waitingOfRule(db: ReadDb, ruleId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('printout')
    .select('id')
    .where('rule_id', '=', ruleId)
    .where('state', '=', 'waiting')
    .orderBy('recorded_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Counts the printouts that wait for a printer that did not print at several attempts. */
export async function countStuck(db: ReadDb): Promise<number> {
  const row = await db
    .selectFrom('printout')
    .select((eb) => eb.fn.countAll<number | string>().as('printouts'))
    .where('state', 'in', ['waiting', 'submitting', 'accepted'])
    .where('failures', '>=', STUCK_FAILURES)
    .executeTakeFirst();
  return Number(row?.printouts ?? 0);
}
