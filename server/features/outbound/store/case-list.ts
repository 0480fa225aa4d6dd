import { type SqlBool, sql } from 'kysely';
import type { ReadDb } from '../../../db/database.ts';
import { afterCursor, cutPage } from '../../../db/keyset.ts';
import type { JobRow, SentScope, TestFaxes } from '../types.ts';
import { isInScope } from './in-scope.ts';

interface CaseFilter {
  /** Null for all faxes. */
  readonly scope: SentScope | null;
  readonly testFaxes: TestFaxes;
  /** Part of the case id in lower case. */
  readonly part?: string | undefined;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A case with the newest fax in it that is visible. */
interface CaseRow {
  readonly case_id: string;
  readonly job: JobRow;
  /** Count of its visible faxes. */
  readonly faxes: number;
}

/** Lists the cases with visible faxes, the one with the newest fax first, keyset-paged on that fax. */
export async function listCases(
  db: ReadDb,
  filter: CaseFilter,
): Promise<{ items: CaseRow[]; next_cursor: string | null }> {
  const { part, limit, cursor } = filter;
  const later = db
    .selectFrom('fax_job as later')
    .select(sql.lit(1).as('found'))
    .where(sql<SqlBool>`later.case_id = fax_job.case_id`)
    .where(isVisible('later', filter))
    .where(
      sql<SqlBool>`later.created_at >= fax_job.created_at and (later.created_at > fax_job.created_at or later.id > fax_job.id)`,
    );
  let query = db
    .selectFrom('fax_job')
    .selectAll()
    .where('case_id', 'is not', null)
    .where(isVisible('fax_job', filter))
    .where((eb) => eb.not(eb.exists(later)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1);
  if (part !== undefined)
    query = query.where(sql<SqlBool>`lower(case_id) like ${contained(part)} escape '\\'`);
  if (cursor !== undefined) query = query.where(afterCursor(cursor, 'created_at', 'id'));
  const page = cutPage(await query.execute(), limit, ({ created_at, id }) => [created_at, id]);
  const counts = await countFaxes(
    db,
    filter,
    page.items.flatMap(({ case_id }) => case_id ?? []),
  );
  const items = page.items.flatMap((job) =>
    job.case_id === null ? [] : [{ case_id: job.case_id, job, faxes: counts.get(job.case_id) ?? 1 }],
  );
  return { items, next_cursor: page.next_cursor };
}

async function countFaxes(
  db: ReadDb,
  filter: CaseFilter,
  caseIds: readonly string[],
): Promise<Map<string, number>> {
  if (caseIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('fax_job')
    .select((eb) => ['case_id', eb.fn.countAll<number | string>().as('faxes')])
    .where('case_id', 'in', caseIds)
    .where(isVisible('fax_job', filter))
    .groupBy('case_id')
    .execute();
  return new Map(rows.flatMap(({ case_id, faxes }) => (case_id === null ? [] : [[case_id, Number(faxes)]])));
}

/** Lists the newest packets of a case that were delivered to a number (E.164), live or test faxes. */
export async function deliveredPackets(
  db: ReadDb,
  { caseId, to, isTest, limit }: { caseId: string; to: string; isTest: boolean; limit: number },
): Promise<JobRow[]> {
  return db
    .selectFrom('fax_job')
    .selectAll()
    .where('case_id', '=', caseId)
    .where('to_number', '=', to)
    .where('delivery_state', '=', 'success')
    .where('packet', 'is not', null)
    .where('arrival_warning', 'is', null)
    .where('test', '=', isTest ? 1 : 0)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Builds the condition that a fax of the table `name` is in the scope and among the test faxes that are listed. */
function isVisible(name: 'fax_job' | 'later', { scope, testFaxes }: Pick<CaseFilter, 'scope' | 'testFaxes'>) {
  const tested =
    testFaxes === 'with'
      ? sql<SqlBool>`1 = 1`
      : sql<SqlBool>`${sql.ref(`${name}.test`)} = ${sql.lit(testFaxes === 'only' ? 1 : 0)}`;
  return scope === null ? tested : sql<SqlBool>`${tested} and ${isInScope(name, scope)}`;
}

const contained = (part: string): string => `%${part.replaceAll(/[\\%_]/gu, '\\$&')}%`;
