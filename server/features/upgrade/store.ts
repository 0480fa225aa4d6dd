import type { ReadDb, WriteTx } from '../../db/database.ts';
import type { UpgradeNote, UpgradePart, UpgradeRun } from './types.ts';

export type { EarlierRow, EarlierStore } from '../../db/earlier-store.ts';

type Row = Awaited<ReturnType<typeof rowOf>>;

function rowOf(db: ReadDb, mark: string) {
  return db.selectFrom('upgrade_run').selectAll().where('source_mark', '=', mark).executeTakeFirst();
}

function toRun(row: NonNullable<Row>): UpgradeRun {
  return {
    id: row.id,
    sourceMark: row.source_mark,
    source: row.source,
    files: row.files,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    part: row.part as UpgradePart,
    after: row.after_key,
    counts: JSON.parse(row.counts) as Record<string, number>,
    notes: row.notes,
  };
}

/** The upgrade from this source, finished or not. */
export async function findRun(db: ReadDb, sourceMark: string): Promise<UpgradeRun | null> {
  const row = await rowOf(db, sourceMark);
  return row ? toRun(row) : null;
}

/** The newest upgrade, finished or not; null where there was none. */
export async function newestRun(db: ReadDb): Promise<UpgradeRun | null> {
  const row = await db
    .selectFrom('upgrade_run')
    .selectAll()
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row ? toRun(row) : null;
}

export async function insertRun(tx: WriteTx, run: UpgradeRun): Promise<void> {
  await tx
    .insertInto('upgrade_run')
    .values({
      id: run.id,
      source_mark: run.sourceMark,
      source: run.source,
      files: run.files,
      started_at: run.startedAt,
      finished_at: run.finishedAt,
      part: run.part,
      after_key: run.after,
      counts: JSON.stringify(run.counts),
      notes: run.notes,
    })
    .execute();
}

/** Saves how far an upgrade has come. */
export async function saveRun(
  tx: WriteTx,
  run: Pick<UpgradeRun, 'id' | 'part' | 'after' | 'counts' | 'notes' | 'finishedAt'>,
): Promise<void> {
  await tx
    .updateTable('upgrade_run')
    .set({
      part: run.part,
      after_key: run.after,
      counts: JSON.stringify(run.counts),
      notes: run.notes,
      finished_at: run.finishedAt,
    })
    .where('id', '=', run.id)
    .execute();
}

/** Adds lines of its report, after a number of earlier ones. */
export async function insertNotes(
  tx: WriteTx,
  runId: string,
  before: number,
  notes: readonly UpgradeNote[],
): Promise<void> {
  if (notes.length === 0) return;
  await tx
    .insertInto('upgrade_note')
    .values(
      notes.map(({ kind, subjectId, text }, at) => ({
        run_id: runId,
        position: before + at + 1,
        kind,
        subject_id: subjectId,
        text,
      })),
    )
    .execute();
}

/** Lines of the report after a position, at most `limit`. */
export async function listNotes(
  db: ReadDb,
  runId: string,
  { after, limit }: { after: number; limit: number },
): Promise<(UpgradeNote & { position: number })[]> {
  const rows = await db
    .selectFrom('upgrade_note')
    .select(['position', 'kind', 'subject_id', 'text'])
    .where('run_id', '=', runId)
    .where('position', '>', after)
    .orderBy('position')
    .limit(limit)
    .execute();
  return rows.map(({ position, kind, subject_id, text }) => ({
    position,
    kind: kind as UpgradeNote['kind'],
    subjectId: subject_id,
    text,
  }));
}
