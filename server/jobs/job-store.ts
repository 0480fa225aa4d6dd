import type { Capabilities } from '../db/capabilities.ts';
import type { ReadDb, WriteTx } from '../db/database.ts';
import { prepareInsert, prepareQuery, prepareUpdate, type ValueOf } from '../db/prepared-query.ts';
import type { JobTable } from '../db/schema/jobs.ts';
import { valuePairs } from '../db/value-pairs.ts';
import { type DueKind, prioritiesOf } from './define-job.ts';

export type JobRow = JobTable;

const insertNew = prepareInsert(
  (tx) => tx.insertInto('job'),
  (insert) => insert.onConflict((conflict) => conflict.column('key').doNothing()).returning('id'),
);

/** Inserts a job. Returns false when there is one with its key already. */
export async function insertJob(tx: WriteTx, row: JobRow): Promise<boolean> {
  return (await insertNew(tx, row)).length === 1;
}

type DueJobs = { kind: string; priority: number; now: number; most: number };

const dueJobs = (tx: WriteTx, value: ValueOf<DueJobs>) =>
  tx
    .selectFrom('job')
    .select('id')
    .where('locked_by', 'is', null)
    .where('kind', '=', value('kind'))
    .where('priority', '=', value('priority'))
    .where('run_at', '<=', value('now'))
    .orderBy('run_at')
    .orderBy('id')
    .limit(value('most'));
const selectDue = prepareQuery(dueJobs);
const lockDue = prepareQuery((tx: WriteTx, value: ValueOf<DueJobs>) =>
  dueJobs(tx, value).forUpdate().skipLocked(),
);

const takeJob = prepareQuery((tx: WriteTx, value: ValueOf<{ id: string; owner: string; until: number }>) =>
  tx
    .updateTable('job')
    .set((eb) => ({
      locked_by: value('owner'),
      locked_until: value('until'),
      attempts: eb('attempts', '+', 1),
    }))
    .where('id', '=', value('id'))
    .returningAll(),
);

/**
 * Claims due jobs, at most `count` of each kind, by priority and then by the time since which they are due: counts the
 * attempt and writes owner and lease. Reads no more rows than it claims, however many wait.
 */
export async function claimJobs(
  tx: WriteTx,
  capabilities: Capabilities,
  args: {
    wanted: ReadonlyArray<DueKind & { readonly count: number }>;
    owner: string;
    now: number;
    leaseMs: number;
  },
): Promise<JobRow[]> {
  const { now, owner, leaseMs } = args;
  const findDue = capabilities.skipLocked ? lockDue : selectDue;
  const claimed: JobRow[] = [];
  for (const wanted of args.wanted) {
    let most = wanted.count;
    for (const priority of prioritiesOf(wanted)) {
      if (most === 0) break;
      const due = await findDue(tx, { kind: wanted.kind, priority, now, most });
      for (const { id } of due) claimed.push(...(await takeJob(tx, { id, owner, until: now + leaseMs })));
      most -= due.length;
    }
  }
  return claimed;
}

/** Every write of a running job is guarded by its owner: a worker that lost its lease changes nothing. */
export async function finishJob(tx: WriteTx, args: { id: string; owner: string }): Promise<boolean> {
  return (await deleteOwned(tx, args)).length === 1;
}

const deleteOwned = prepareQuery((tx: WriteTx, value: ValueOf<{ id: string; owner: string }>) =>
  tx.deleteFrom('job').where('id', '=', value('id')).where('locked_by', '=', value('owner')).returning('id'),
);

const updateOwned = prepareUpdate('job', ['id', 'locked_by']);

export async function releaseJob(
  tx: WriteTx,
  args: { id: string; owner: string; runAt: number; reason: string },
): Promise<void> {
  const { id, owner: locked_by, runAt: run_at } = args;
  const free = { locked_by: null, locked_until: null, run_at, last_error: lastErrorOf(args.reason) };
  await updateOwned(tx, free, { id, locked_by });
}

/** A reason as it is stored. */
export const lastErrorOf = (reason: string): string => reason.slice(0, 500);

export async function renewLease(
  tx: WriteTx,
  args: { owner: string; ids: readonly string[]; until: number },
): Promise<void> {
  await tx
    .updateTable('job')
    .set({ locked_until: args.until })
    .where('id', 'in', args.ids)
    .where('locked_by', '=', args.owner)
    .execute();
}

/**
 * Jobs whose worker vanished: the lease ran out, or ends later than any lease can (`farthest`), because the clock was set
 * back since. Where no other worker works on the store (`isSole`), that is also every lease of another owner.
 */
export async function findLostJobs(
  db: ReadDb,
  args: { owner: string; now: number; farthest: number; isSole: boolean },
): Promise<JobRow[]> {
  return db
    .selectFrom('job')
    .selectAll()
    .where('locked_by', 'is not', null)
    .where((eb) => {
      const ended = [eb('locked_until', '<', args.now), eb('locked_until', '>', args.farthest)];
      return eb.or(args.isSole ? [eb('locked_by', '!=', args.owner), ...ended] : ended);
    })
    .execute();
}

export async function removeLostJob(tx: WriteTx, row: JobRow): Promise<boolean> {
  const result = await tx
    .deleteFrom('job')
    .where('id', '=', row.id)
    .where('locked_by', '=', row.locked_by)
    .where('locked_until', '=', row.locked_until)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

const deleteFree = prepareQuery((tx: WriteTx, value: ValueOf<{ key: string }>) =>
  tx.deleteFrom('job').where('key', '=', value('key')).where('locked_by', 'is', null),
);

export async function removeJobByKey(tx: WriteTx, key: string): Promise<void> {
  await deleteFree(tx, { key });
}

export async function makeJobDue(tx: WriteTx, key: string, now: number): Promise<void> {
  await tx
    .updateTable('job')
    .set({ run_at: now })
    .where('key', '=', key)
    .where('locked_by', 'is', null)
    .where('run_at', '>', now)
    .execute();
}

/**
 * Makes jobs due that wait longer than their kind ever plans ahead: a clock that has been set back since put them there.
 * Returns how many.
 */
export async function bringForward(
  tx: WriteTx,
  args: { kind: string; now: number; maxMs: number },
): Promise<number> {
  const result = await tx
    .updateTable('job')
    .set({ run_at: args.now })
    .where('locked_by', 'is', null)
    .where('kind', '=', args.kind)
    .where('run_at', '>', args.now + args.maxMs)
    .executeTakeFirst();
  return Number(result.numUpdatedRows);
}

/** Takes `byMs` off the times of the free jobs of a kind that are planned for `until` at the latest. Epoch milliseconds. */
export async function planEarlier(
  tx: WriteTx,
  args: { kind: string; byMs: number; until: number },
): Promise<void> {
  await tx
    .updateTable('job')
    .set((eb) => ({ run_at: eb('run_at', '-', args.byMs) }))
    .where('locked_by', 'is', null)
    .where('kind', '=', args.kind)
    .where('run_at', '<=', args.until)
    .execute();
}

/** The latest time a free job of this kind is planned for, epoch milliseconds; null when none waits. */
export async function lastDue(db: ReadDb, kind: string): Promise<number | null> {
  const row = await db
    .selectFrom('job')
    .select('run_at')
    .where('locked_by', 'is', null)
    .where('kind', '=', kind)
    .orderBy('run_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.run_at ?? null;
}

/**
 * Prepares the query for the time at which the next free job of each of these kinds is due, in epoch ms; kinds without a free
 * job are left out. It looks up one row for each kind and priority, however many wait.
 */
export function prepareNextDue(
  kinds: readonly DueKind[],
): (db: ReadDb) => Promise<ReadonlyArray<{ kind: string; due: number }>> {
  if (kinds.length === 0) return async () => [];
  const pairs = kinds.flatMap((each) => prioritiesOf(each).map((priority) => [each.kind, priority] as const));
  const query = prepareQuery((db: ReadDb) =>
    db
      .selectFrom(valuePairs(pairs).as('wanted'))
      .select((eb) => [
        'column1 as kind',
        eb.fn
          .min<number | null>(
            eb
              .selectFrom('job')
              .select('run_at')
              .where('locked_by', 'is', null)
              .whereRef('job.kind', '=', 'wanted.column1')
              .whereRef('job.priority', '=', 'wanted.column2')
              .orderBy('run_at')
              .limit(1),
          )
          .as('due'),
      ])
      .groupBy('column1'),
  );
  return async (db) => {
    const rows = await query(db, {});
    return rows.flatMap(({ kind, due }) => (due === null ? [] : [{ kind, due }]));
  };
}

export async function countWaiting(db: ReadDb): Promise<{ kind: string; waiting: number }[]> {
  return db
    .selectFrom('job')
    .select((eb) => ['kind', eb.fn.countAll<number>().as('waiting')])
    .groupBy('kind')
    .execute();
}

/** Returns the time (epoch ms) since which the oldest free job of each kind has been due; kinds without due jobs are left out. */
export async function dueSince(db: ReadDb, now: number): Promise<{ kind: string; since: number }[]> {
  return db
    .selectFrom('job')
    .select((eb) => ['kind', eb.fn.min('run_at').as('since')])
    .where('locked_by', 'is', null)
    .where('run_at', '<=', now)
    .groupBy('kind')
    .execute();
}

/** Lists the payloads of the free jobs of a kind, those that were due at a time (epoch ms) or, with null, all. */
export async function waitingWork(db: ReadDb, kind: string, dueAt: number | null): Promise<unknown[]> {
  const free = db.selectFrom('job').select('payload').where('locked_by', 'is', null).where('kind', '=', kind);
  const rows = await (dueAt === null ? free : free.where('run_at', '<=', dueAt)).execute();
  return rows.map(({ payload }) => JSON.parse(payload) as unknown);
}

/** Removes the work of a kind, claimed or not: after a restore no worker of the time of the backup lives any more. */
export async function removeWork(tx: WriteTx, kind: string): Promise<void> {
  await tx.deleteFrom('job').where('kind', '=', kind).execute();
}
