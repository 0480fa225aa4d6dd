import { sql } from 'kysely';
import type { WriteTx } from '../../db/database.ts';

/** Admitted requests of a name by the second in which they came, by the clock of the database. */
type SecondCounts = Map<number, number>;

const WINDOW_SECONDS = 60;

/**
 * Locks the counts of names until the transaction ends, and returns those of the last minute with the time of the database.
 * A crash of the database may lose those of its last moment: the transaction does not wait for the disk. Sort the names, so that two transactions never wait for each other.
 */
export async function lockCounts(
  tx: WriteTx,
  names: readonly string[],
): Promise<{ second: number; counts: Map<string, SecondCounts> }> {
  await sql`select set_config('synchronous_commit', 'off', true)`.execute(tx);
  const rows = await tx
    .insertInto('request_count')
    .values(names.map((name) => ({ name, counts: '[]', ends_at: 0 })))
    .onConflict((conflict) =>
      conflict.column('name').doUpdateSet((eb) => ({ ends_at: eb.ref('request_count.ends_at') })),
    )
    .returning(['name', 'counts', sql<number>`extract(epoch from clock_timestamp())::bigint`.as('second')])
    .execute();
  // Rows are locked one after the other: the last time is after every lock.
  const second = Math.max(...rows.map((row) => row.second));
  const counts = rows.map(({ name, counts: text }) => {
    const all = JSON.parse(text) as [number, number][];
    // A second of a clock that was set back since counts as one of now.
    const recent = all
      .filter(([at]) => at > second - WINDOW_SECONDS - 1)
      .map(([at, count]) => [Math.min(at, second), count] as const);
    return [name, new Map(recent)] as const;
  });
  return { second, counts: new Map(counts) };
}

/** Counts a request in `counts` unless `perMinute` are counted already. Returns the remaining number. */
export function countRequest(
  counts: SecondCounts,
  { second, perMinute }: { second: number; perMinute: number },
): { isAdmitted: boolean; remaining: number; seconds: number } {
  const used = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const isAdmitted = used < perMinute;
  if (isAdmitted) counts.set(second, (counts.get(second) ?? 0) + 1);
  return {
    isAdmitted,
    remaining: Math.max(0, perMinute - used - 1),
    seconds: secondsUntilLeft(counts, { second, excess: isAdmitted ? 0 : used - perMinute }),
  };
}

/** Returns the seconds after which more than `excess` of the counted requests count no more. */
function secondsUntilLeft(
  counts: SecondCounts,
  { second, excess }: { second: number; excess: number },
): number {
  let ended = 0;
  for (const at of [...counts.keys()].sort((a, b) => a - b)) {
    ended += counts.get(at) ?? 0;
    if (ended > excess) return at + WINDOW_SECONDS + 1 - second;
  }
  return WINDOW_SECONDS;
}

export async function saveCounts(tx: WriteTx, counts: ReadonlyMap<string, SecondCounts>): Promise<void> {
  for (const [name, bySecond] of counts) {
    const ends_at = Math.max(0, ...bySecond.keys()) + WINDOW_SECONDS;
    await tx
      .updateTable('request_count')
      .set({ counts: JSON.stringify([...bySecond]), ends_at })
      .where('name', '=', name)
      .execute();
  }
}

/** Deletes the counts that ended before a second, but for those that another transaction has locked. */
export async function deleteEndedCounts(tx: WriteTx, second: number): Promise<void> {
  await tx
    .deleteFrom('request_count')
    .where('name', 'in', (eb) =>
      eb
        .selectFrom('request_count')
        .select('name')
        .where('ends_at', '<', second)
        .forUpdate()
        .skipLocked()
        .limit(1_000),
    )
    .execute();
}
