import { sql } from 'kysely';
import type { Capabilities } from '../../../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { FaxCallTable, FaxLineWaitTable } from '../../../db/schema/outbound.ts';

export type CallRow = FaxCallTable;
type LineWaitRow = FaxLineWaitTable;

/**
 * Calls begin and end one after another, until the end of each transaction. Where one process has the database, its
 * transactions do that already.
 */
export async function lockCalls(tx: WriteTx, { soleProcess }: Capabilities): Promise<void> {
  if (soleProcess) return;
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || ' fax calls', 0))`.execute(tx);
}

/** Phases of an attempt whose call is under way. */
const UNDER_WAY = ['preparing', 'submitting', 'in_progress'] as const;

export async function insertCall(tx: WriteTx, row: CallRow): Promise<void> {
  await tx.insertInto('fax_call').values(row).execute();
}

export async function findCall(db: ReadDb, id: string): Promise<CallRow | undefined> {
  return db.selectFrom('fax_call').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function setCallEnd(tx: WriteTx, id: string, endedAt: string | null): Promise<void> {
  await tx.updateTable('fax_call').set({ ended_at: endedAt }).where('id', '=', id).execute();
}

export async function removeCall(tx: WriteTx, id: string): Promise<void> {
  await tx.deleteFrom('fax_call').where('id', '=', id).execute();
}

/** Returns the state of a call's attempts: whether one is under way, and whether the outcome of one may still come. */
export async function callState(
  db: ReadDb,
  callId: string,
): Promise<{ isUnderWay: boolean; isOpen: boolean }> {
  const rows = await db.selectFrom('fax_attempt').select('phase').where('call_id', '=', callId).execute();
  const isUnderWay = rows.some(({ phase }) => UNDER_WAY.some((each) => each === phase));
  return { isUnderWay, isOpen: isUnderWay || rows.some(({ phase }) => phase === 'uncertain') };
}

/** Counts the calls under way: on the lines of an account or route, or to a number. */
export async function countCalls(db: ReadDb, of: { linesOf: string } | { to: string }): Promise<number> {
  const going = db
    .selectFrom('fax_call')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ended_at', 'is', null);
  const found = 'to' in of ? going.where('to_number', '=', of.to) : going.where('lines_of', '=', of.linesOf);
  return (await found.executeTakeFirstOrThrow()).count;
}

export async function findLineWait(db: ReadDb, jobId: string): Promise<LineWaitRow | undefined> {
  return db.selectFrom('fax_line_wait').selectAll().where('job_id', '=', jobId).executeTakeFirst();
}

export async function hasLineWaits(db: ReadDb, linesOf: string): Promise<boolean> {
  const rows = await db
    .selectFrom('fax_line_wait')
    .select('job_id')
    .where('lines_of', '=', linesOf)
    .limit(1)
    .execute();
  return rows.length > 0;
}

/** A fax that waits already keeps its place. */
export async function insertLineWait(tx: WriteTx, row: LineWaitRow): Promise<void> {
  await tx
    .insertInto('fax_line_wait')
    .values(row)
    .onConflict((conflict) => conflict.column('job_id').doNothing())
    .execute();
}

export async function removeLineWait(tx: WriteTx, jobId: string): Promise<void> {
  await tx.deleteFrom('fax_line_wait').where('job_id', '=', jobId).execute();
}

export async function setCalled(tx: WriteTx, jobId: string, calledAt: string | null): Promise<void> {
  await tx.updateTable('fax_line_wait').set({ called_at: calledAt }).where('job_id', '=', jobId).execute();
}

/** On whose lines faxes to a number wait. */
export async function listAwaitedLines(db: ReadDb, to: string): Promise<string[]> {
  const rows = await db
    .selectFrom('fax_line_wait')
    .select('lines_of')
    .distinct()
    .where('to_number', '=', to)
    .execute();
  return rows.map(({ lines_of }) => lines_of);
}

/**
 * Lists the faxes that have a line now, in their order: as many as lines are free, and for each number at most
 * `perNumber` calls. A fax that was called before `calledSince` (ISO time) and did not come loses its turn, except for
 * `jobId`.
 */
export async function listNextInLine(
  db: ReadDb,
  args: { linesOf: string; perNumber: number; calledSince: string; jobId: string | null },
): Promise<LineWaitRow[]> {
  const { linesOf, perNumber, calledSince, jobId } = args;
  const most = await db
    .selectFrom('fax_line_wait')
    .select((eb) => eb.fn.max('lines').as('lines'))
    .where('lines_of', '=', linesOf)
    .executeTakeFirst();
  const free = (most?.lines ?? 0) - (await countCalls(db, { linesOf }));
  if (free <= 0) return [];
  return db
    .selectFrom((eb) =>
      eb
        .selectFrom('fax_line_wait as w')
        .selectAll('w')
        .select(
          sql<number>`row_number() over (partition by w.to_number order by w.rank, w.job_id)`.as('turn'),
        )
        .select((inner) =>
          inner
            .selectFrom('fax_call as c')
            .select((count) => count.fn.countAll<number>().as('count'))
            .whereRef('c.to_number', '=', 'w.to_number')
            .where('c.ended_at', 'is', null)
            .as('going'),
        )
        .where('w.lines_of', '=', linesOf)
        .where((or) =>
          or.or([
            or('w.called_at', 'is', null),
            or('w.called_at', '>=', calledSince),
            ...(jobId === null ? [] : [or('w.job_id', '=', jobId)]),
          ]),
        )
        .as('waiting'),
    )
    .select(['job_id', 'lines_of', 'to_number', 'rank', 'lines', 'dispatch_key', 'called_at'])
    .where((eb) => eb(eb('turn', '+', eb.ref('going')), '<=', perNumber))
    .orderBy('rank')
    .orderBy('job_id')
    .limit(free)
    .execute();
}

/** Clears the calls after a restore: no fax waits for a line, and only calls that a provider already had continue. */
export async function forgetCalls(tx: WriteTx, at: string): Promise<void> {
  await tx.deleteFrom('fax_line_wait').execute();
  for (const { id } of await tx.selectFrom('fax_call').select('id').execute()) {
    const { isUnderWay, isOpen } = await callState(tx, id);
    if (!isOpen) await removeCall(tx, id);
    else if (!isUnderWay) await setCallEnd(tx, id, at);
  }
}

/** Those of the names that are what a call sends. */
export async function keptCallArtifacts(db: ReadDb, artifacts: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('fax_call')
    .select('artifact')
    .where('artifact', 'in', artifacts)
    .execute();
  return rows.flatMap(({ artifact }) => artifact ?? []);
}
