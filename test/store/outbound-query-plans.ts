import { sql } from 'kysely';
import { encodeCursor } from '../../server/db/keyset.ts';
import { type JobFilter, listJobs } from '../../server/features/outbound/store/job-list.ts';
import { faxRow } from '../setup/outbound-rows.ts';
import { plansOf } from '../setup/query-plans.ts';
import type { TestStore } from '../setup/stores.ts';

/** So many rows that a planner has a reason to use an index. */
export async function fillUp({ db }: TestStore): Promise<void> {
  for (let round = 0; round < 6; round += 1) await copyRows(round).execute(db.unrestricted);
  await sql`analyze`.execute(db.unrestricted);
}

/** Every row of the table once more, under another id. */
function copyRows(round: number) {
  const plain = sql.join(
    Object.keys(faxRow())
      .filter((column) => column !== 'id')
      .map((column) => sql.ref(column)),
  );
  const id = sql`id || ${sql.lit(`-${round}`)}`;
  return sql`insert into fax_job (id, ${plain}) select ${id}, ${plain} from fax_job`;
}

/** Returns the query plan for a page far from the first. */
export async function planOf(
  store: TestStore,
  filter: Omit<JobFilter, 'limit'>,
  before: string,
): Promise<string> {
  const cursor = encodeCursor([before, 'ffff']);
  // As few against the table as in a store of a million.
  const plans = await plansOf(store, (db) =>
    listJobs(db, { ...filter, limit: 50, cursor, lookThrough: 300 }),
  );
  // A small table is sooner read whole than fifty rows of it by their ids; that is not the page's order.
  const ordered = plans.filter((plan) => !plan.sql.includes('"id" in'));
  return ordered.flatMap(({ lines }) => lines).join('\n');
}
