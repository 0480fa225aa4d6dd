import type { Database, WriteTx } from '../../db/database.ts';
import { insertNotes, saveRun } from './store.ts';
import type { UpgradeNote, UpgradePart, UpgradeProgress, UpgradeRun } from './types.ts';

/** Numbers by what was counted. */
type Counted = Readonly<Record<string, number>>;

/** One step of an upgrade: it is recorded with its counts, its lines and where it continues, or not at all. */
interface Step {
  readonly counts: Counted;
  readonly notes: readonly UpgradeNote[];
  /** Key of the last row of the step; null at the end of its part. */
  readonly after: string | null;
  /** Left out in a dry run. */
  readonly write?: (tx: WriteTx) => Promise<void>;
}

/** State of an upgrade that is under way. */
export interface Recorder {
  readonly run: UpgradeRun;
  /** Lines so far; of a dry run, which has no other place for them, all of them. */
  readonly notes: readonly UpgradeNote[];
  commit(part: UpgradePart, step: Step): Promise<void>;
  finish(finishedAt: string, write: (tx: WriteTx, run: UpgradeRun) => Promise<void>): Promise<void>;
}

/** Records steps of an upgrade. With `db` null nothing is written: that is a dry run. */
export function createRecorder(db: Database | null, begun: UpgradeRun): Recorder {
  let run = begun;
  const kept: UpgradeNote[] = [];
  const advance = (changes: Partial<UpgradeRun>) => ({ ...run, ...changes });
  return {
    get run() {
      return run;
    },
    notes: kept,
    async commit(part, { counts, notes, after, write }) {
      const next = advance({
        part,
        after,
        counts: addCounts(run.counts, counts),
        notes: run.notes + notes.length,
      });
      if (db === null) kept.push(...notes);
      else
        await db.transaction(async (tx) => {
          await write?.(tx);
          await insertNotes(tx, run.id, run.notes, notes);
          await saveRun(tx, next);
        });
      run = next;
    },
    async finish(finishedAt, write) {
      const next = advance({ finishedAt });
      if (db !== null)
        await db.transaction(async (tx) => {
          await write(tx, next);
          await saveRun(tx, next);
        });
      run = next;
    },
  };
}

function addCounts(a: Counted, b: Counted): Counted {
  const sum = { ...a };
  for (const [name, count] of Object.entries(b)) sum[name] = (sum[name] ?? 0) + count;
  return sum;
}

export type OnProgress = (progress: UpgradeProgress) => void;
