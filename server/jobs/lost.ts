import type { Database } from '../db/database.ts';
import type { Logger } from '../platform/logger.ts';
import type { JobDefinition } from './define-job.ts';
import { findLostJobs, insertJob, type JobRow, removeLostJob } from './job-store.ts';
import type { WorkPermit } from './work-permit.ts';

/** Settles the jobs of vanished workers as their kinds declare: run again, or held for a person. */
export async function settleLostJobs(
  db: Database,
  definitions: ReadonlyMap<string, JobDefinition>,
  args: {
    owner: string;
    now: number;
    farthest: number;
    running: ReadonlySet<string>;
    permit: WorkPermit;
    logger: Logger;
  },
): Promise<number> {
  const isSole = db.capabilities.soleProcess || args.permit.isExclusive;
  const rows = await findLostJobs(db.read, { ...args, isSole });
  let settled = 0;
  for (const row of rows) {
    const definition = definitions.get(row.kind);
    if (!definition || args.running.has(row.id)) continue;
    try {
      await settle(db, definition, row, args);
    } catch (error) {
      // One row that cannot be settled must not keep the others from running; it is tried again.
      args.logger.error({ error, job: row.id, kind: row.kind }, 'a lost job could not be settled');
      continue;
    }
    args.logger.warn(
      { job: row.id, kind: row.kind, lost: definition.lost },
      'settled the job of a vanished worker',
    );
    settled += 1;
  }
  return settled;
}

async function settle(
  db: Database,
  definition: JobDefinition,
  row: JobRow,
  { now, permit }: { now: number; permit: WorkPermit },
): Promise<void> {
  await db.transaction(async (tx) => {
    await permit.assertHeld(tx);
    if (!(await removeLostJob(tx, row))) return;
    if (definition.lost === 'repeat') {
      await insertJob(tx, {
        ...row,
        locked_by: null,
        locked_until: null,
        run_at: now,
        last_error: 'worker lost',
      });
      return;
    }
    await definition.onLost?.(tx, definition.schema.parse(JSON.parse(row.payload)));
  });
}
