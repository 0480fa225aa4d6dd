import type { ReadDb, WriteTx } from '../../../db/database.ts';
import type { CountedReport } from '../types.ts';

/** Adds to what is counted of a provider and a problem. */
export async function addReports(tx: WriteTx, { backend, problem, count, last_at }: CountedReport) {
  await tx
    .insertInto('routing_report')
    .values({ backend, problem, count, last_at })
    .onConflict((conflict) =>
      conflict
        .columns(['backend', 'problem'])
        .doUpdateSet((eb) => ({ count: eb('routing_report.count', '+', count), last_at })),
    )
    .execute();
}

export async function listReports(db: ReadDb): Promise<CountedReport[]> {
  return db.selectFrom('routing_report').selectAll().orderBy('last_at', 'desc').execute();
}
